/** Fails while a resource that `npm run new` made says what is still to be written. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = process.argv[2] ?? fileURLToPath(new URL("../", import.meta.url));
const places = ["services", "tests", "docs/map.md"];
const { stdout, status } = spawnSync(
  "git",
  ["grep", "-n", "--untracked", "To be written: ", "--", ...places],
  {
    cwd: root,
    encoding: "utf8",
  },
);
// 1 is nothing found.
if (status !== 1) {
  process.stderr.write(stdout);
  process.exitCode = 1;
}
