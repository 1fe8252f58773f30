import { readFileSync } from "node:fs";
import { relative } from "node:path";

// Prints the files whose tests failed, a line each, from the report that vitest's JSON reporter wrote to the given file.
const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const { name, status } of report.testResults) {
  if (status === "failed") console.log(relative(process.cwd(), name));
}
