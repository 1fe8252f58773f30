import { expect, test } from "vitest";
import { type Listed, longRules, problemsOf } from "./operations.js";

const path = "/v1/spaces/{spaceId}";
const listed = (method: string, path: string, operation: string): Listed => ({
  method,
  path,
  service: "content",
  operation,
});
const operations = [
  listed("GET", path, "spaces.get"),
  listed("POST", `${path}/move`, "spaces.move"),
  listed("DELETE", path, "spaces.remove"),
];

const root =
  'import { spaces } from "./library/spaces/router.js";\nexport const router = mount({ spaces });\n';
const declared = `import { get, post, router, service } from "../../trpc.js";
import { move } from "./rules/move.js";
import * as rules from "./rules.js";

export const spaces = router({
  get: get(one, { operationId: "getSpaceById", summary: "Get a space" })
    .input(Get)
    .output(Space)
    .query(rules.get),
  move: post(\`\${one}/move\`, {
    operationId: "moveSpace",
  })
    .input(Move)
    .output(Space)
    .mutation(move),
  remove: del(one, { operationId: "deleteSpaceById" }).input(One).output(noContent).mutation(removal(rules.remove)),
  /** For services alone. */
  lookup: service.input(Lookup).output(Space.array()).query(rules.lookup),
});
`;
const rules = "export const get = 1;\nexport async function remove() {}\nexport function lookup() {}\n";

/** The problems of a service whose files differ from those above. */
function problems(changed: Record<string, string>, more: Listed[] = [], exceptions = {}) {
  const files = {
    "router.ts": root,
    "library/spaces/router.ts": declared,
    "library/spaces/rules.ts": rules,
    "library/spaces/rules/move.ts": "export function move() {}\n",
    ...changed,
  };
  const sources = Object.entries(files).map(([file, text]): [string, string] => [
    `services/content/src/${file}`,
    text,
  ]);
  return problemsOf([...operations, ...more], new Map(sources), exceptions);
}

test("operations whose address, procedure and function agree are fine", () => {
  expect(problems({})).toEqual([]);
});

test("a function of another name is a problem, of a procedure without an address too", () => {
  const router = declared.replace("rules.get)", "rules.read)").replace("rules.lookup", "rules.find");
  expect(problems({ "library/spaces/router.ts": router })).toEqual([
    "content spaces.get: calls a function of another name, read",
    "content spaces.lookup: calls a function of another name, find",
  ]);
});

test("a function that is written on the spot has no name to find it by", () => {
  const router = declared.replace("rules.get)", "({ ctx, input }) => rules.get({ ctx, input }))");
  expect(problems({ "library/spaces/router.ts": router })).toEqual([
    "content spaces.get: calls no imported function by its name",
  ]);
});

test("a function beside the rules, or in none of them, is a problem", () => {
  const router = declared.replace("./rules/move.js", "./move.js");
  const files = {
    "library/spaces/router.ts": router,
    "library/spaces/move.ts": "export function move() {}\n",
  };
  expect(problems(files)).toEqual([
    "content spaces.move: its function lies in services/content/src/library/spaces/move.ts, not in rules.ts or rules/ of services/content/src/library/spaces",
  ]);
  expect(problems({ "library/spaces/rules/move.ts": "" })).toEqual([
    "content spaces.move: services/content/src/library/spaces/rules/move.ts exports no function move",
  ]);
});

test("a procedure is named after what its address does", () => {
  const router = declared
    .replace("  move: post", "  push: post")
    .replace("mutation(move)", "mutation(rules.push)");
  const files = {
    "library/spaces/router.ts": router,
    "library/spaces/rules.ts": `${rules}export const push = 1;\n`,
  };
  const pushed = [listed("POST", `${path}/move`, "spaces.push")];
  const named = "content spaces.push: is not named after what POST /v1/spaces/{spaceId}/move does";
  const gone = "content spaces.move: no router file declares it";
  expect(problems(files, pushed)).toEqual([gone, named]);
  expect(problems(files, pushed, { "spaces.push": "for a reason" })).toEqual([gone]);
});

test("the verb of a resource's own address is the verb of HTTP", () => {
  expect(problems({}, [listed("PATCH", path, "spaces.get")])).toEqual([
    `content spaces.get: is not named after what PATCH ${path} does`,
  ]);
});

test("an address that does not name the folder is a problem, and so is a namespace", () => {
  expect(problems({}, [listed("GET", "/v1/rooms/{roomId}", "spaces.get")])).toEqual([
    "content spaces.get: its address does not name spaces",
    "content spaces.get: is not named after what GET /v1/rooms/{roomId} does",
  ]);
  const renamed =
    'import { spaces } from "./library/spaces/router.js";\nexport const router = mount({ rooms: spaces });\n';
  expect(problems({ "router.ts": renamed }, [listed("GET", path, "rooms.get")])).toContain(
    "content rooms.get: lies in the folder spaces",
  );
});

test("an exception for what is not there is a problem", () => {
  expect(problems({}, [], { "rooms.*": "no reason" })).toEqual([
    "rooms.*: excepted, and no operation has that name",
  ]);
});

test("what streams is no procedure", () => {
  const download: Listed = { ...listed("GET", `${path}/downloads/{ticket}`, "files.download"), auth: "none" };
  expect(problems({}, [download])).toEqual([]);
});

test("a file of rules that has outgrown a screen is a problem, and no other file", () => {
  const lines = (count: number) => "const one = 1;\n".repeat(count);
  const at = (file: string, count: number): [string, string] => [`services/orgs/src/${file}`, lines(count)];
  const long = "lines of rules; give verbs files of their own in rules/, and helpers beside it";
  expect(
    longRules(
      new Map([
        at("teams/rules.ts", 126),
        at("teams/rules/list.ts", 200),
        at("members/rules.ts", 125),
        at("teams/router.ts", 300),
        at("teams/rules-of.ts", 300),
      ]),
    ),
  ).toEqual([
    `services/orgs/src/teams/rules.ts: has 126 ${long}`,
    `services/orgs/src/teams/rules/list.ts: has 200 ${long}`,
  ]);
});
