/**
 * The `test` script of every workspace: builds it and what it stands on, then runs its tests. `npm test -w
 * services/content -- src/git` runs those of a path in it; what begins with a dash is vitest's.
 */
import { spawnSync } from "node:child_process";
import { relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const workspace = relative(root, process.cwd());
const given = process.argv.slice(2);
const paths = given.filter((argument) => !argument.startsWith("-"));
const options = given.filter((argument) => argument.startsWith("-"));
const filters = (paths.length > 0 ? paths : [""]).map((path) => `${workspace}/${path}`);

for (const [command, ...args] of [
  ["node", "scripts/build.js", `--filter=./${workspace}`],
  ["vitest", "run", ...options, ...filters],
]) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
