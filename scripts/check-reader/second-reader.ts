import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { environmentOf, limitsOf, reader } from "@octavo/launcher/deployables";
import { freePort } from "@octavo/launcher/ports";
import { readSettings } from "@octavo/launcher/settings";
import { openState } from "@octavo/launcher/state";
import { eventually } from "../../tests/harness/client.js";
import type { Stack } from "../../tests/harness/stack.js";
import { textAt } from "./check.js";
import type { Lab } from "./lab.js";

/** Milliseconds after which a reader is done with what it does when it starts. */
export const SETTLED_MS = 5_000;

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
  await eventually(isReady, 30_000).catch((error: unknown) => {
    child.kill();
    throw error;
  });
  return {
    pid: child.pid!,
    at: (url) => origin + new URL(url).pathname,
    stop: () => void child.kill(),
  };
}

/** Does something with a reader that has started and shown the laboratory, and nothing else; stops it after that. */
export async function withColdReader(
  stack: Stack,
  lab: Lab,
  work: (reader: SecondReader) => Promise<void>,
): Promise<void> {
  const reader = await startReader(stack);
  try {
    // What a reader does once and for all when it starts is no part of what a page takes.
    for (const { url } of lab.pages) await textAt(reader.at(url));
    await sleep(SETTLED_MS);
    await work(reader);
  } finally {
    reader.stop();
  }
}
