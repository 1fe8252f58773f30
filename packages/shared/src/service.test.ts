import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { soundEnvironment } from "./testing/environment.js";

/** Starts a service of no operations in a process of its own, and waits for its end. */
function start(env: Record<string, string>) {
  const from = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { readConfig, serviceConfig } from ${from("./config.ts")};
    import { startService } from ${from("./service.ts")};
    import { createApi } from ${from("./trpc.ts")};
    const router = createApi().router({});
    const config = readConfig(serviceConfig);
    await startService({ name: "content", version: "1.0.0", config, router, migrations: {}, resources: async () => ({}) });`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  return spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH, ...soundEnvironment(), ...env },
    encoding: "utf8",
    timeout: 60_000,
  });
}

test("a database that cannot be used ends the start with one line in the log that names the cause", () => {
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = "/none";
  const { status, stdout, stderr } = start({ DATABASE_URL: url.href });
  expect([status, stderr]).toEqual([1, ""]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const msg = `cannot start: the database at ${url.host}/none cannot be used: database "none" does not exist`;
  expect(lines).toEqual([{ level: "fatal", time: expect.any(String), service: "content", msg }]);
});
