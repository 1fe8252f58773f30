import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Prints at the end of a run, one a line, every test that failed once: `Failed:`, or `Flaky:` when a later try passed.
 * `.ci/run` collects these lines.
 */
export default class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId);
      const tests = [...module.children.allTests()].flatMap((one) => {
        const verdict = verdictOf(one);
        return verdict ? [`${verdict}: ${file} > ${one.fullName}`] : [];
      });
      // A file that could not be loaded, or whose set-up failed, has no failed test.
      return module.state() === "failed" && tests.length === 0 ? [`Failed: ${file}`] : tests;
    });
    for (const line of lines) process.stdout.write(`${line}\n`);
  }
}

function verdictOf(one: TestCase): "Failed" | "Flaky" | undefined {
  if (one.result().state === "failed") return "Failed";
  return one.diagnostic()?.flaky ? "Flaky" : undefined;
}
