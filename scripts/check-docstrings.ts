/**
 * Fails when a function that rules, queries, shared or markdown export has no docstring that stands alone, and when that of
 * a rule, a guard or a loader does not name the statuses that it refuses with, or a plain number says neither by its name
 * nor there what it measures: these are the places whose functions are
 * read in a hover by those who call them.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { docstringProblems, needsDocstrings } from "./docstrings.js";
import { needsRefusals, refusalProblems } from "./refusals.js";
import { unitProblems } from "./units.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const problems = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "packages", "services"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .flatMap((file) => {
    const checks = [
      ...(needsDocstrings(file) || needsRefusals(file) ? [docstringProblems] : []),
      ...(needsDocstrings(file) ? [unitProblems] : []),
      ...(needsRefusals(file) ? [refusalProblems] : []),
    ];
    const source = checks.length > 0 ? readFileSync(join(root, file), "utf8") : "";
    return checks.flatMap((check) => check(file, source)).map((it) => `${file}:${it}`);
  });
for (const line of problems) process.stderr.write(`${line}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
