import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { respondInParts } from "../http/respond.js";
import type { SiteContext } from "../site/context.js";
import { type Entry, spaceFrom } from "../site/space.js";
import { page } from "../testing.js";
import { fullTexts } from "./full.js";

/** A hundred of them are more than two sockets hold for somebody who reads nothing. */
const WORDS = "words ".repeat(80_000);

/**
 * A server that sends a space as one text, 503 where that fails before anything was sent; which pages were asked for, and
 * the warnings of the process since. `failures` are what content says of some pages instead of their text.
 */
async function serve(count: number, failures: Record<number, Error> = {}) {
  const asked: string[] = [];
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const pages = Array.from({ length: count }, (_, at) => page(`${at}`, `Page ${at}`));
  const markdownOf = async ({ id }: Entry) => {
    asked.push(id);
    const failure = failures[Number(id)];
    if (failure) throw failure;
    return `# Page ${id}\n\n${WORDS}`;
  };
  const place = { canonical: "https://docs.example/" };
  const context = { place, space: spaceFrom("k", { pages, files: [] }), site: { title: "A site" } };
  const server = createServer((req, res) => {
    const texts = fullTexts(context as unknown as SiteContext, 1, markdownOf)!; // Cast: what the texts are made of.
    respondInParts(req, res, { type: "text/plain", cache: "no-store", texts }).catch(() => {
      if (!res.headersSent) res.writeHead(503).end();
    });
  }).listen(0);
  await once(server, "listening");
  onTestFinished(() => {
    process.off("warning", warn);
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, warnings };
}

test("a part holds its pages in their order and says where the next one is, without waiting listeners", async () => {
  const { url, asked, warnings } = await serve(120);
  const text = await (await fetch(url)).text();
  expect([...text.matchAll(/^# Page (\d+)$/gm)].map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 100 }, (_, at) => at),
  );
  expect(text).toMatch(/More pages: https:\/\/docs\.example\/llms-full\.txt\/2\n$/);
  expect(asked.length).toBe(100);
  expect(warnings).toEqual([]);
});

test("pages that a client does not take are not asked for", async () => {
  const { url, asked } = await serve(100);
  const { body } = await fetch(url, { headers: { "accept-encoding": "identity" } });
  const reader = body!.getReader();
  await reader.read();
  await sleep(300);
  const before = asked.length;
  await reader.cancel();
  await sleep(300);
  expect(before).toBeLessThan(100);
  expect(asked.length).toBe(before);
});

const away = new TypeError("fetch failed");
const refusal = (code: string) => Object.assign(new Error("no"), { data: { code } });

test("pages that are gone are left out", async () => {
  const { url } = await serve(6, { 1: refusal("NOT_FOUND"), 5: refusal("FORBIDDEN") });
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect([...text.matchAll(/^# Page (\d+)$/gm)].map(([, number]) => number)).toEqual(["0", "2", "3", "4"]);
});

test("while content is away nothing passes for the whole: what fails at first is no response, what fails later ends it", async () => {
  for (const failure of [away, refusal("SERVICE_UNAVAILABLE"), refusal("UNAUTHORIZED")]) {
    const { url } = await serve(3, { 1: failure });
    expect((await fetch(url)).status, failure.message).toBe(503);
  }
  const { url } = await serve(12, { 10: away });
  const later = await fetch(url);
  expect(later.status).toBe(200);
  await expect(later.text()).rejects.toThrow();
});
