import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { environmentOf, limitsOf, reader } from "@octavo/launcher/deployables";
import { freePort } from "@octavo/launcher/ports";
import { readSettings } from "@octavo/launcher/settings";
import { openState } from "@octavo/launcher/state";
import { eventually } from "../../tests/harness/client.js";
import type { Stack } from "../../tests/harness/stack.js";

/** A reader beside that of a stack, which has read nothing yet. */
export interface SecondReader {
  pid: number;
  /** Where it has what an address of the stack has. */
  at(url: string): string;
  stop(): void;
}

/** Starts another reader of a stack, as the launcher starts the first one. */
export async function startReader(stack: Stack): Promise<SecondReader> {
  const settings = readSettings({ PORT: String(stack.port), OCTAVO_DATA_DIR: stack.dataDir });
  const { state } = openState(stack.dataDir);
  const port = String(await freePort());
  const noDatabases = { orgs: "", content: "", sites: "", integrations: "" };
  const given = { settings, state, databaseUrls: noDatabases, natsUrl: "", natsPasswords: {} };
  const child = spawn(process.execPath, [...limitsOf(reader), resolve(reader.folder, "dist/main.js")], {
    env: { ...environmentOf(reader, given), PORT: port },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady, 30_000);
  return {
    pid: child.pid!,
    at: (url) => origin + new URL(url).pathname,
    stop: () => void child.kill(),
  };
}
