import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "./harness/stack.js";
import { openTunnel, type Tunnel } from "./harness/tunnel.js";

const root = resolve(import.meta.dirname, "..");

let stack: Stack;
let repository: GitServer;
let tunnel: Tunnel;

beforeAll(async () => {
  [stack, repository, tunnel] = await Promise.all([
    startStack({ OCTAVO_SAMPLE: "1" }),
    serveRepository(resolve(root, "tests/fixtures/handbook")),
    openTunnel(),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.allSettled([stack?.stop(), repository?.close(), tunnel?.close()]);
}, 60_000);

/** The commands as the README prints them, but for the addresses of this test, and stopped by the first failure. */
function tour(): string {
  const text = readFileSync(resolve(root, "README.md"), "utf8");
  const blocks = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, commands]) => commands!);
  expect(blocks.length).toBeGreaterThan(5);
  const commands = blocks
    .join("\n")
    .replaceAll("http://localhost:4000", stack.base)
    .replaceAll("http://127.0.0.1:4180/repository/.git", repository.url)
    .replaceAll("http://127.0.0.1:4181", tunnel.url);
  return `set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n${commands}`;
}

test("every line of the README's tour works as printed", async () => {
  const env = { ...process.env, OCTAVO_DATA_DIR: stack.dataDir };
  const { stdout } = await promisify(execFile)("bash", ["-c", tour()], { cwd: root, env, timeout: 90_000 });
  const inOrder = [
    `"displayName":"Administrator"`,
    `"title":"Writing with Octavo"`,
    `"path":"welcome"`,
    "Octavo keeps documentation in **spaces**",
    "Hello, periscope!",
    `"result":"merge"`,
    `"title":"Welcome"`,
    "# Publishing a site",
    `"object":"published-content-site"`,
    `"name":"watcher"`,
    `"status":"active"`,
    `"state":"success"`,
    `"path":"first-steps"`,
    "# Guides",
    `"status":"success"`,
  ];
  let from = 0;
  for (const text of inOrder) {
    const at = stdout.indexOf(text, from);
    expect(at, `${text} in\n${stdout.slice(from)}`).toBeGreaterThanOrEqual(0);
    from = at + text.length;
  }
  expect(tunnel.received.map(({ event }) => event.type)).toContain("installation_setup");
}, 120_000);
