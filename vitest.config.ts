import { defineConfig } from "vitest/config";

/** One run for the whole repository: PostgreSQL and NATS start once, every file owns a schema of its own. */
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["{packages,services}/*/src/**/*.test.ts", "gateway/src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["packages/launcher/src/testing.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: { deps: { inline: [/^@octavo\//] } },
  },
});
