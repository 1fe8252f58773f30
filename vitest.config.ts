import { defineConfig } from "vitest/config";

/** One run for the whole repository: PostgreSQL and NATS start once, every file owns a schema of its own. */
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: [
      "{packages,services}/*/src/**/*.test.ts",
      "{gateway/src,reader/src,tests,scripts}/**/*.test.ts",
    ],
    globalSetup: ["packages/launcher/src/testing.ts", "tests/harness/stack-on-demand.ts"],
    reporters: ["default", "./tests/harness/failed-tests.ts"],
    pool: "forks",
    // Files share the modules of their worker: to load them anew for each took a third of the whole run.
    isolate: false,
    // Some tests wait for time to pass, so there are more workers than the cores of a small machine.
    maxWorkers: 3,
    // What hangs fails at last; a slow machine does not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    server: { deps: { inline: [/^@octavo\//] } },
  },
});
