import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { zipOf, zipWith } from "../services/content/src/import/testing.js";
import { eventually } from "../tests/harness/client.js";
import type { Attack, Target, Trial } from "./attack.js";
import { isRefused } from "./attack.js";
import { hostileTexts } from "./hostile-texts.js";

const ENDS_WITHIN_MS = 300_000;
const MB = 1024 * 1024;

/** What lies at an address: an import of it comes to one of these ends. */
interface Bait {
  source: string;
  listener: RequestListener;
  ends?: ("completed" | "failed")[];
}

/** Sources that are larger, longer or deeper than they look, imported and read as specifications. */
export const imports: Attack = {
  name: "imports",
  claim: "every import ends by itself with a state, and one that failed brought nothing in",
  async run(target, trial) {
    const baits = Object.entries(BAITS(target.full));
    for (const [what, bait] of target.full ? baits : baits.slice(0, 6))
      await importBait(target, trial, what, bait);
    for (const [what, text] of Object.entries(SPECIFICATIONS(target.full)))
      await readSpecification(target, trial, what, text);
  },
};

const sending =
  (content: string | Buffer, type = "application/octet-stream"): RequestListener =>
  (_, res) =>
    void res.writeHead(200, { "content-type": type }).end(content);

/** Sends for as long as the other side reads. */
const endless =
  (type: string): RequestListener =>
  (_, res) => {
    const chunk = "<p>words ".repeat(10_000);
    res.writeHead(200, { "content-type": type });
    const pump = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on("drain", pump);
    pump();
  };

const slow: RequestListener = (_, res) => {
  res.writeHead(200, { "content-type": "text/html" });
  const drip = setInterval(() => res.write("x"), 200);
  res.once("close", () => clearInterval(drip));
};

/** Pages that link to more pages than anybody can read. */
const maze: RequestListener = (req, res) => {
  const at = Number(/\d+/.exec(req.url!)?.[0] ?? 0);
  if (/robots|sitemap/.test(req.url!)) return void res.writeHead(404).end();
  const links = Array.from({ length: 1_000 }, (_, link) => `<a href="/x/${at * 1_000 + link + 1}">on</a>`);
  res.writeHead(200, { "content-type": "text/html" }).end(`<main><h1>${at}</h1>${links.join(" ")}</main>`);
};

const failed: Bait["ends"] = ["failed"];

const BAITS = (full: boolean): Record<string, Bait> => {
  const times = (count: number) => Math.round(full ? count : count / 10);
  const texts = [...hostileTexts(full)].map(([, text], at) => [`${at}.md`, text] as const);
  return {
    "an endless page": { source: "html", listener: endless("text/html"), ends: failed },
    "an archive of 500 MB in 500 KB": {
      source: "zip",
      listener: sending(
        zipOf(
          Array.from({ length: 5 }, (_, at) => ({
            name: `${at}.md`,
            content: Buffer.alloc(times(100 * MB), "a "),
          })),
        ),
      ),
    },
    "an archive of 100,000 files": {
      source: "confluence",
      listener: sending(
        zipOf(Array.from({ length: times(100_000) }, (_, at) => ({ name: `${at}.html`, content: "<p>x" }))),
      ),
    },
    "a page of open elements": {
      source: "html",
      listener: sending("<div><b><a>".repeat(times(200_000)), "text/html"),
    },
    "a page that is read slowly": {
      source: "html",
      listener: sending("<p><a><b><i>x".repeat(times(20_000)), "text/html"),
    },
    "an archive of hostile texts": { source: "zip", listener: sending(zipWith(Object.fromEntries(texts))) },
    "a document of word processing that unpacks to much": {
      source: "docx",
      listener: sending(
        zipOf([{ name: "word/document.xml", content: Buffer.alloc(times(200 * MB), "<w:p>") }]),
      ),
      ends: failed,
    },
    "a website without an end": { source: "website", listener: maze },
    "a website that drips": { source: "website", listener: slow, ends: failed },
    "a table of contents of a deep space": {
      source: "confluence",
      listener: sending(
        zipWith({
          "index.html": `<div id="content">${"<ul><li><a href='a.html'>a</a>".repeat(times(30_000))}`,
          "a.html": "<h1>A</h1>",
        }),
      ),
    },
    "a document of marks": {
      source: "google-docs",
      listener: sending(
        `<style>${Array.from({ length: times(50_000) }, (_, at) => `.c${at}{font-weight:700}`).join("")}</style>${"<span class='c1 c2 c3'>x".repeat(times(5_000))}`,
        "text/html",
      ),
    },
  };
};

async function importBait(target: Target, trial: Trial, what: string, { source, listener, ends }: Bait) {
  const { call, things } = target.attacker;
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const space = (await call<{ id: string }>("POST", `/orgs/${things.organizationId}/spaces`, {})).body.id;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    const asked = call("POST", `/spaces/${space}/content/import`, { url, source });
    const response = await trial.expect(what, asked);
    if (!response) return;
    const ended = await eventually(async () => {
      const { body } = await call<{ items: { state: string }[] }>("GET", `/spaces/${space}/imports`);
      const state = body.items[0]?.state;
      return state === "completed" || state === "failed" ? state : undefined;
    }, ENDS_WITHIN_MS).catch(() => "no end");
    if (!(ends ?? ["completed", "failed"]).some((end) => end === ended))
      trial.fail(`${what}: the import came to ${ended}`);
    if (isRefused(response) && ended === "completed") trial.fail(`${what}: was refused and came in`);
    const { body } = await call<{ pages: unknown[] }>("GET", `/spaces/${space}/content/pages`);
    if (ended === "failed" && body.pages.length > 0) trial.fail(`${what}: failed, and came in by half`);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

const SPECIFICATIONS = (full: boolean): Record<string, string> => {
  const times = (count: number) => Math.round(full ? count : count / 10);
  const head = "openapi: 3.0.0\ninfo: {title: x, version: '1'}\n";
  const levels = Array.from({ length: 12 }, (_, at) => `x-${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
  return {
    "aliases that multiply": `${head}x-0: &a0 [lol]\n${levels.join("\n")}\npaths: {}\n`,
    "lists in lists": `${head}paths: ${"[".repeat(times(100_000))}`,
    "a chain of schemas": `${head}paths: {}\ncomponents:\n  schemas:\n${Array.from({ length: times(20_000) }, (_, at) => `    s${at}: {$ref: '#/components/schemas/s${at + 1}'}`).join("\n")}\n`,
    "many operations": `${head}paths:\n${Array.from({ length: times(20_000) }, (_, at) => `  /p${at}: {get: {responses: {'200': {description: x}}}}`).join("\n")}\n`,
  };
};

async function readSpecification(
  { attacker: { call, things } }: Target,
  trial: Trial,
  what: string,
  text: string,
) {
  const specs = `/orgs/${things.organizationId}/openapi`;
  const slug = `attack-${what.replaceAll(/\W+/g, "-")}`;
  const made = await trial.expect(what, call("PUT", `${specs}/${slug}`, { source: { text } }));
  if (!made || isRefused(made)) return;
  const ended = await eventually(async () => {
    const { body } = await call<{ processingState: string }>("GET", `${specs}/${slug}`);
    return body.processingState === "complete";
  }, ENDS_WITHIN_MS).catch(() => false);
  if (!ended) trial.fail(`${what}: the specification was not read to an end`);
}
