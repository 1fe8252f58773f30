/**
 * Fails when a guard of a service names a role by itself instead of an action of its table (`permissions.ts`), when code
 * compares a role by itself, and when a table has an action that guards nothing, whose flag in responses would be a
 * promise about no operation.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isForTests } from "./direction.js";
import { actionsIn, comparedRolesIn, literalRolesIn, namesIn, unguarded } from "./guards.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "services"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\/src\/.*\.ts$/.test(file) && !isForTests(file) && !file.includes("/migrations/"));

const tables = [
  "packages/shared/src/contracts/permissions.ts",
  ...files.filter((file) => file.endsWith("/src/permissions.ts")),
];
const rules = files.filter((file) => !file.endsWith("/permissions.ts") && !file.endsWith("router.ts"));
const names = new Set(rules.flatMap((file) => [...namesIn(file, read(file))]));

const wrong = [
  ...rules.flatMap((file) =>
    [...literalRolesIn(file, read(file)), ...comparedRolesIn(file, read(file))].map(
      (problem) => `${file}:${problem}`,
    ),
  ),
  ...tables.flatMap((file) =>
    unguarded(actionsIn(read(file)), names).map((action) => `${file}: no guard is called with "${action}"`),
  ),
];
for (const line of wrong) process.stderr.write(`${line}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;
