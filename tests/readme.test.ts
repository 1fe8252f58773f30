import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { elementsOf } from "@octavo/html/testing/structure";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "./harness/client.js";
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
});
afterAll(async () => {
  await Promise.allSettled([stack?.stop(), repository?.close(), tunnel?.close()]);
});

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

/** What every page of the sample together is made of, by the classes of the elements. */
const DRAWN = [
  "hint info",
  "hint success",
  "hint warning",
  "hint danger",
  "tabs",
  "steps",
  "columns",
  "cards",
  "table",
  "code",
  "diagram",
  "images",
  "card-link",
  "card-link embed",
  "file",
  "prompt",
  "updates",
  "api",
  "rating",
  "button primary",
  "button secondary",
  "annotation",
  "note",
  "tasks",
  "icon",
  "mention",
  "nested",
];

test("the sample site shows what pages can be made of, and all of it is there", async () => {
  const call = createClient(stack);
  const org = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const sites = await call<{ items: { urls: { published: string } }[] }>("GET", `/orgs/${org}/sites`);
  const address = sites.body.items[0]!.urls.published;
  const textOf = async (url: string) => {
    const response = await fetch(url);
    expect(response.status, url).toBe(200);
    return response.text();
  };
  const pages = [...(await textOf(`${address}sitemap.xml`)).matchAll(/<loc>([^<]*)</g)].map(
    ([, url]) => url!,
  );
  expect(pages).toHaveLength(8);
  const drawn = new Set<string>();
  for (const page of pages)
    for (const { name, attrs } of elementsOf(await textOf(page))) {
      drawn.add(attrs.class ?? name);
      expect(attrs.class, page).not.toBe("lost");
      if (name === "img") await textOf(new URL(attrs.src!, page).href);
    }
  expect(DRAWN.filter((one) => !drawn.has(one))).toEqual([]);
  // What of an API is not found is drawn as its names alone.
  expect(drawn).not.toContain("operation");
  expect(["math", "details", "blockquote"].filter((one) => !drawn.has(one))).toEqual([]);
});

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
});
