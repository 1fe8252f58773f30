/** Fails when code of a service or of the gateway casts by way of `unknown` without a reason. Tests may build what is wrong. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { castProblems } from "./casts.js";
import { isForTests } from "./direction.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "services", "gateway"], {
  cwd: root,
  encoding: "utf8",
});
const wrong = listed
  .split("\n")
  .filter((file) => /\/src\/.*\.ts$/.test(file) && !isForTests(file))
  .flatMap((file) => castProblems(file, readFileSync(join(root, file), "utf8")));
for (const line of wrong) process.stderr.write(`${line}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;
