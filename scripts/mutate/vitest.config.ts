import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../vitest.config.js";

/** Loads one file with another text than it has; nothing is written. */
// biome-ignore lint/suspicious/noUndeclaredEnvVars: it is told by run.ts, and no task of turbo reads it.
const { file, source, tests } = JSON.parse(process.env.MUTANT ?? "{}");

/** Runs the tests in the order in which they were named, so that the fast ones can come before the slow ones. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ moduleId }: TestSpecification) =>
      tests.findIndex((test: string) => moduleId.includes(test));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        load: (id) => (id === file ? source : undefined),
        configureVitest: ({ experimental_defineCacheKeyGenerator: cacheAs }) =>
          cacheAs(({ id }) => (id === file ? false : undefined)),
      },
    ],
    test: {
      // The first test that fails ends the run, which others beside it would only hold up.
      maxWorkers: 1,
      sequence: { sequencer: AsNamed },
      experimental: { fsModuleCache: true },
    },
  }),
);
