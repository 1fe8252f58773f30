import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { neighbour, readConfig, serviceConfig } from "./config.js";
import { soundEnvironment } from "./testing/environment.js";

const sound = soundEnvironment();

test("a sound environment is read, with defaults for what is absent or empty", () => {
  const config = readConfig(serviceConfig, { ...sound, HOST: "", OCTAVO_APP_URL: "", UNKNOWN: "x" });
  expect(config).toMatchObject({
    PORT: 4001,
    HOST: "127.0.0.1",
    LOG_LEVEL: "info",
    DATABASE_POOL: 10,
    OCTAVO_EGRESS_ALLOW: [],
  });
  expect(config.OCTAVO_APP_URL).toBeUndefined();
  expect(config).not.toHaveProperty("UNKNOWN");
});

test("the list of networks is split", () => {
  const { OCTAVO_EGRESS_ALLOW } = readConfig(serviceConfig, {
    ...sound,
    OCTAVO_EGRESS_ALLOW: " 10.0.0.0/8, ,fd00::/8,",
  });
  expect(OCTAVO_EGRESS_ALLOW).toEqual(["10.0.0.0/8", "fd00::/8"]);
});

test("keys are read from their JSON, and every form of a wrong one is a mistake", () => {
  const { OCTAVO_SIGNING_KEY: signing, OCTAVO_TRUSTED_KEYS: trusted } = sound;
  const config = readConfig(serviceConfig, sound);
  expect([config.OCTAVO_SIGNING_KEY, config.OCTAVO_TRUSTED_KEYS]).toEqual(
    [signing, trusted].map((text) => JSON.parse(text)),
  );
  const key = JSON.parse(signing);
  const long = Buffer.alloc(33, 7).toString("base64");
  for (const [name, values] of Object.entries({
    OCTAVO_SIGNING_KEY: [
      "{",
      "null",
      "[]",
      trusted,
      JSON.stringify({ ...key, kid: undefined }),
      JSON.stringify({ ...key, d: "AAAA" }),
    ],
    OCTAVO_TRUSTED_KEYS: ["{", "null", "{}", '{"keys":[]}', '{"keys":[{}]}', signing],
    OCTAVO_SECRET_KEY: [
      "c2VjcmV0",
      long,
      `${sound.OCTAVO_SECRET_KEY},`,
      `${sound.OCTAVO_SECRET_KEY},abc`,
      "hunter2!",
    ],
    OCTAVO_EGRESS_ALLOW: ["banana", "10.0.0.0/33", "10.0.0.0/8,localhost"],
  })) {
    for (const value of values) {
      const { error } = serviceConfig.safeParse({ ...sound, [name]: value });
      expect(
        error?.issues.map(({ path, message }) => [path, message.startsWith("must be")]),
        value,
      ).toEqual([[[name], true]]);
    }
  }
  const rotating = `${sound.OCTAVO_SECRET_KEY},${Buffer.alloc(32).toString("base64")}`;
  expect(readConfig(serviceConfig, { ...sound, OCTAVO_SECRET_KEY: rotating }).OCTAVO_SECRET_KEY).toBe(
    rotating,
  );
});

test("a service adds variables of its own", () => {
  const config = readConfig(serviceConfig.extend({ OCTAVO_ORGS_URL: neighbour }), {
    ...sound,
    OCTAVO_ORGS_URL: "http://localhost:4001",
  });
  expect(config.OCTAVO_ORGS_URL).toBe("http://localhost:4001");
});

/** Reads the configuration in a process of its own. */
function start(env: Record<string, string>) {
  const config = fileURLToPath(new URL("./config.ts", import.meta.url));
  const script = `const { readConfig, serviceConfig } = await import(${JSON.stringify(config)});
    readConfig(serviceConfig); console.log("read");`;
  return spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    env: { PATH: process.env.PATH, ...env },
    encoding: "utf8",
  });
}

test("a process with all of its configuration goes on", () => {
  expect(start(sound)).toMatchObject({ status: 0, stdout: "read\n", stderr: "" });
});

test("all mistakes are reported at once, without values, and the process ends with 78", () => {
  const { status, stdout, stderr } = start({
    PORT: "hunter2",
    DATABASE_URL: "mysql://root:hunter2@localhost",
    DATABASE_SCHEMA: 'a"; drop schema hunter2',
    DATABASE_POOL: "0",
    OCTAVO_BASE_URL: "hunter2",
    OCTAVO_SIGNING_KEY: "hunter2",
    OCTAVO_TRUSTED_KEYS: '{"keys":["hunter2"]}',
    OCTAVO_SECRET_KEY: "hunter2!",
    OCTAVO_EGRESS_ALLOW: "10.0.0.0/8,hunter2",
    LOG_LEVEL: "hunter2",
  });
  expect([status, stdout]).toEqual([78, ""]);
  const names = stderr.split("\n").flatMap((line) => /^ {2}(\w+): /.exec(line)?.[1] ?? []);
  expect(names.sort()).toEqual([
    "DATABASE_POOL",
    "DATABASE_SCHEMA",
    "DATABASE_URL",
    "LOG_LEVEL",
    "NATS_URL",
    "OCTAVO_BASE_URL",
    "OCTAVO_EGRESS_ALLOW",
    "OCTAVO_SECRET_KEY",
    "OCTAVO_SIGNING_KEY",
    "OCTAVO_TRUSTED_KEYS",
    "PORT",
  ]);
  expect(stderr).not.toContain("hunter2");
  expect(stderr).toContain("  DATABASE_URL: must be as postgres://role:password@host:5432/database\n");
  expect(stderr).toContain("  OCTAVO_BASE_URL: must be an http or https address\n");
});

test("nothing is read at import", () => {
  const { PORT: _, ...rest } = sound;
  expect(start(rest).stderr).toContain("  PORT: ");
});
