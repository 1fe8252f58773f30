/**
 * Fails when an operation can not be found by name from its line in gateway/routes.json: its address, its procedure and the
 * function that the procedure calls have to agree; and when a file of rules has outgrown a screen.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { longRules, problemsOf } from "./operations.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "services"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\/src\/(.*\/)?(router|rules|rules\/[^/]+)\.ts$/.test(file));

const sources = new Map(files.map((file) => [file, read(file)]));
const problems = [...problemsOf(JSON.parse(read("gateway/routes.json")), sources), ...longRules(sources)];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
