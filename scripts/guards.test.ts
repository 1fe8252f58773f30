import { expect, test } from "vitest";
import { actionsIn, literalRolesIn, namesIn, unguarded } from "./guards.js";

const rolesIn = (source: string) => literalRolesIn("rules.ts", source);

test("a guard that is given an action is fine, and so is a role that guards nothing", () => {
  const source = `
    const row = await lockSpace(ctx, id, "space.admin");
    allowIn(ctx, organization, own ? "organization.view" : "organization.admin");
    await queries.insert(ctx, { role: "admin" });
    const seen = role === "admin" ? everything : nothing;
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

test("an action of a table that no call names is told, one that a template names is not, nor one that is planned", () => {
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
