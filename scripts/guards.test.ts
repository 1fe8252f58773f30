import { expect, test } from "vitest";
import { actionsIn, comparedRolesIn, literalRolesIn, namesIn, unguarded } from "./guards.js";

const rolesIn = (source: string) => literalRolesIn("rules.ts", source);

test("a guard that is given an action is fine, and so is a role that guards nothing", () => {
  const source = `
    const row = await lockSpace(ctx, id, "space.admin");
    allowIn(ctx, organization, own ? "organization.view" : "organization.admin");
    await queries.insert(ctx, { role: "admin" });
    await contribute(ctx, id, "edit");`;
  expect(rolesIn(source)).toEqual([]);
});

test.each([
  ['allow(level, "edit", "Space");', "allow", "edit"],
  ['const row = await access.lockSpace(ctx, id, "create");', "lockSpace", "create"],
  ['allowIn(ctx, organization, own ? "guest" : PERMISSIONS.admin);', "allowIn", "guest"],
  ['if (!atLeast(level, "read" as Role)) refuse("NOT_FOUND", "gone");', "atLeast", "read"],
  ['await requireRole(ctx, organization, minimum ?? "admin");', "requireRole", "admin"],
  [
    'const scope = transact(ctx, (ctx) => lockScope(ctx, input, ["merge", "review"][1]));',
    "lockScope",
    "review",
  ],
])("%s is a problem", (line, name, role) => {
  const problem = `2: ${name} is given the role "${role}"; name an action of permissions.ts`;
  expect(rolesIn(`\n${line}`)).toEqual([problem]);
});

test.each([
  ['if (role === "admin") return everything;', "role", "admin"],
  ['const open = "read" !== row.default_level;', "default_level", "read"],
  ['if (roleIn(ctx.caller, row.organization) === ("admin" as Role)) return row;', "roleIn", "admin"],
  ['return ["create", "admin"].includes(member.role);', "role", "create"],
  ['return levels.includes("edit");', "levels", "edit"],
])("%s is a problem: a decision outside of the table", (line, name, role) => {
  const problem = `2: ${name} is compared with the role "${role}"; name an action of permissions.ts`;
  expect(comparedRolesIn("rules.ts", `function decide() {\n${line}\n}`)).toEqual([problem]);
});

test("what is called like a role and is none may be compared, and a role with what is none", () => {
  const source = `
    if (side === "read" || input.type === "comment") return;
    if (role === null || level !== undefined || role === higher || input.role === "guest") return;
    return kinds.includes("edit") && ROLES.includes(role);`;
  expect(comparedRolesIn("rules.ts", `function decide() {${source}}`)).toEqual([]);
});

test("an action of a table that no call names is reported, one that a template names is not, nor one that is planned", () => {
  const table = `export const PERMISSIONS = {
  "space.merge": "review",
  "space.viewLinks": "create",
  "space.fly": "admin",
} as const;
export const PLANNED_PERMISSIONS = {
  "space.install": "create",
} as const;`;
  expect(actionsIn(table)).toEqual(["space.merge", "space.viewLinks", "space.fly"]);
  const rules = `lockScope(ctx, input, "space.merge"); allow(level, \`\${kind}.viewLinks\`, "Thing"); // "space.fly"`;
  expect(unguarded(actionsIn(table), namesIn("rules.ts", rules))).toEqual(["space.fly"]);
});
