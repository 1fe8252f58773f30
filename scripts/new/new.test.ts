import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeResource } from "./write.js";

const root = resolve(import.meta.dirname, "../..");
const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** The files of the project without what is built, in a folder of its own, with the packages of the original. */
function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), "octavo-new-"));
  copies.push(copy);
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of listed.split("\n").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
  return copy;
}

/** Runs a command in a copy; its status, and all that it printed. */
function run(copy: string, command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin", command), args, {
    cwd: copy,
    encoding: "utf8",
  });
  return { status, output: `${stdout}${stderr}` };
}

const testsOf = (copy: string, file: string) => run(copy, "vitest", "run", file);

test("new resources compile in every service, and their tests are red until they are filled", {
  timeout: 900_000,
}, () => {
  const copy = copyOfProject();
  const written = [
    ...writeResource(copy, "sites/bookmarks", { table: true }),
    ...writeResource(copy, "orgs/membership/badges", { table: false }),
    ...writeResource(copy, "content/library/issue-labels", { table: true }),
    ...writeResource(copy, "integrations/policies", { table: false }),
  ];
  const folder = join(copy, "services/sites/src/bookmarks");
  const formatted = run(copy, "biome", "check", "--write", ...written.filter((file) => file.endsWith(".ts")));
  expect(formatted).toMatchObject({ status: 0 });
  expect(run(copy, "tsc", "--noEmit", "-p", "tsconfig.json")).toEqual({ status: 0, output: "" });

  const red = testsOf(copy, "services/sites/src/bookmarks");
  expect(red.status).toBe(1);
  expect(red.output).toContain("To be written: create in services/sites/src/bookmarks/rules.ts");
  const check = run(copy, "tsx", "scripts/check-written.ts");
  expect(check.status).toBe(1);
  for (const file of ["services/sites/src/bookmarks/rules.ts", "tests/harness/permissions.ts", "docs/map.md"])
    expect(check.output).toContain(`${file}:`);

  writeFileSync(join(folder, "rules.ts"), RULES);
  const file = join(folder, "bookmarks.test.ts");
  const [listing] = readFileSync(file, "utf8").split('test("…/bookmarks is for');
  writeFileSync(file, listing + REFUSAL);
  expect(testsOf(copy, "services/sites/src/bookmarks")).toMatchObject({ status: 0 });
});

const REFUSAL = `test("…/bookmarks is for those who may", async () => {
  const { bookmarks } = await service.as({ acme: "read" });
  const created = bookmarks.create({ organizationId: "acme", title: "No" });
  await expect(created).rejects.toMatchObject({ code: "FORBIDDEN" });
});
`;

const RULES = `import { roleIn } from "@octavo/shared/contracts/callers";
import { refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import type { Call } from "../trpc.js";
import * as queries from "./queries.js";
import type { Create, List } from "./schema.js";
import { view } from "./view.js";

export const list = ({ ctx, input }: Call<typeof List>) =>
  paginate({ query: queries.list(ctx, input.organizationId), input, view: (rows) => rows.map(view) });

export async function create({ ctx, input: { organizationId: organization, title } }: Call<typeof Create>) {
  if (roleIn(ctx.caller, organization) !== "admin") refuse("FORBIDDEN", "Role: too low");
  return view(await queries.insert(ctx, { id: newId(), organization, title }));
}
`;

test("what is no place for a resource is refused", () => {
  const refused: [argument: string, why: string][] = [
    ["pages/redirects", "There is no service pages: orgs, content, sites, integrations"],
    ["sites", "sites is no folder"],
    ["sites/Redirects", "sites/Redirects is no folder"],
    ["sites/../orgs", "sites/../orgs is no folder"],
    ["sites/redirect", "redirect is not a plural"],
    ["sites/sites", "services/sites/src/sites is there already"],
    ["sites/nowhere/redirects", "services/sites/src/nowhere is not there"],
  ];
  for (const [argument, why] of refused)
    expect(() => writeResource(root, argument, { table: false })).toThrow(why);
});
