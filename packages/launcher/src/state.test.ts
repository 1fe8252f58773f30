import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBearer } from "@octavo/shared/bearer";
import { createSigner, createVerifier } from "@octavo/shared/identity";
import { expect, onTestFinished, test } from "vitest";
import { openState, trustedKeys } from "./state.js";

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "octavo-state-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test("opening the state of a new directory makes secrets that only its owner can read", () => {
  const dataDir = directory();
  const { state, fresh } = openState(dataDir);
  expect(fresh).toBe(true);
  expect(isBearer(state.adminToken)).toBe(true);
  expect(Buffer.from(state.secretKey, "base64")).toHaveLength(32);
  expect(new Set(Object.values(state.passwords)).size).toBe(4);
  expect(statSync(join(dataDir, "state.json")).mode & 0o777).toBe(0o600);
});

test("opening the state again finds the same secrets and what was saved since", () => {
  const dataDir = directory();
  const first = openState(dataDir);
  first.state.sample.space = "abc";
  first.save();
  const second = openState(dataDir);
  expect(second).toMatchObject({ fresh: false, state: first.state });
});

test("opening a damaged state is an error and leaves the file alone", () => {
  const dataDir = directory();
  const file = join(dataDir, "state.json");
  for (const text of ["", "{", '{"version":1}', "[]"]) {
    writeFileSync(file, text);
    expect(() => openState(dataDir)).toThrow("state.json is damaged");
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

test("a state that is missing beside a database is an error, and none is made", () => {
  const dataDir = directory();
  mkdirSync(join(dataDir, "postgres"));
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "17\n");
  expect(() => openState(dataDir)).toThrow(/state\.json is missing.*\n.*Restore it from a backup/);
  expect(existsSync(join(dataDir, "state.json"))).toBe(false);
});

test("--show-token with a damaged state, or none, explains why there is no token, and what to do", () => {
  const dataDir = directory();
  const show = () => {
    const args = [
      "--import",
      "tsx",
      "--conditions=source",
      join(import.meta.dirname, "main.ts"),
      "--show-token",
    ];
    const env = { ...process.env, OCTAVO_DATA_DIR: dataDir };
    return spawnSync(process.execPath, args, { encoding: "utf8", env });
  };
  expect(show()).toMatchObject({
    status: 1,
    stdout: "",
    stderr: `! Octavo has never been started on ${dataDir}\n`,
  });
  writeFileSync(join(dataDir, "state.json"), "{");
  const { status, stdout, stderr } = show();
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^! .*state\.json is damaged: .*\n.*Restore it from a backup.*\n$/);
});

test("the keys of a new state sign identities that the trusted keys verify", async () => {
  const { state } = openState(directory());
  const keys = trustedKeys(state);
  expect(JSON.stringify(keys)).not.toContain('"d"');
  const token = await createSigner(state.signingKeys.launcher).sign({ kind: "service", service: "launcher" });
  expect(await createVerifier(keys).verify(token)).toEqual({ kind: "service", service: "launcher" });
});
