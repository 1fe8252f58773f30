import { expect, test } from "vitest";
import { needsRefusals, refusalProblems } from "./refusals.js";

const problems = (doc: string, body: string) =>
  refusalProblems("rules.ts", `/** ${doc} */\nexport function get() { ${body} }\n`);
const missing = (...statuses: number[]) => [
  `2: get has a docstring that does not name ${statuses.join(", ")}`,
];

test.each<[body: string, statuses: number[]]>([
  ['refuse("CONFLICT", "Page: is taken");', [409]],
  ['refuse(isGone ? "NOT_FOUND" : "FORBIDDEN", "Page");', [403, 404]],
  ['return found(row, "Page");', [404]],
  ['refuseAt("body.title", "is too long");', [400]],
  ["refuseAll(issues);", [400]],
  ['refuseAll(issues, { code: "FORBIDDEN", reason: "own" });', [403]],
  ['return transact(ctx, async (ctx) => { await lockSpace(ctx, id, "space.admin"); });', [403, 404]],
  ['allowIn(ctx, organization, own ? "organization.view" : "organization.admin");', [403, 404]],
  ["userOf(ctx);", [403]],
])("%s refuses with %j, which the docstring has to name", (body, statuses) => {
  expect(problems("Returns a page.", body)).toEqual(missing(...statuses));
  expect(problems(`Returns a page; ${statuses.join(", ")} or so.`, body)).toEqual([]);
});

test("a caller who may not see a thing gets 404, and nothing else", () => {
  const body = 'await lockSpace(ctx, id, "space.access"); allowIn(ctx, organization, "organization.view");';
  expect(problems("Returns a page.", body)).toEqual(missing(404));
});

test("what a function beside it refuses counts, where it is called or handed on, through any number of them", () => {
  const source = `/** Creates a page. */
export const create = () => insert().catch(refuseTaken);

function insert() { check(); }
const check = () => refuse("BAD_REQUEST", "no");
function refuseTaken() { refuse("CONFLICT", "taken"); }
function unused() { refuse("FORBIDDEN", "no"); }
`;
  expect(refusalProblems("rules.ts", source)).toEqual([
    "2: create has a docstring that does not name 400, 409",
  ]);
});

test("a number that is part of another is no status, and `refuses like` another function names its own", () => {
  expect(problems("Returns 4040 pages.", 'found(row, "Page");')).toEqual(missing(404));
  expect(problems("Returns a page; refuses like `list`.", 'found(row, "Page");')).toEqual([]);
});

test("a removal need not name 404, but has to name 403", () => {
  const source = (doc: string) =>
    `/** ${doc} */\nexport function remove() { return lockSite(ctx, input, "site.update"); }\n`;
  expect(refusalProblems("rules.ts", source("Removes a page."))).toEqual([
    "2: remove has a docstring that does not name 403",
  ]);
  expect(refusalProblems("rules.ts", source("Removes a page; 403 for others."))).toEqual([]);
});

test("a function that is not exported may refuse without naming the status", () => {
  expect(refusalProblems("rules.ts", "/** A helper. */\nfunction get() { found(1); }\n")).toEqual([]);
});

test("refusals are named in rules, access and loaders", () => {
  const needed = [
    "services/orgs/src/membership/teams/rules.ts",
    "services/orgs/src/membership/teams/load.ts",
    "services/content/src/review/changes/rules/list.ts",
    "services/content/src/access/load-space.ts",
    "services/integrations/src/installations/access.ts",
  ];
  const free = [
    "services/orgs/src/membership/teams/view.ts",
    "services/content/src/access/lock.test.ts",
    "packages/shared/src/access.ts",
  ];
  expect([...needed, ...free].filter(needsRefusals)).toEqual(needed);
});
