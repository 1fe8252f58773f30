import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { spaceFrom } from "../space.js";
import { page } from "../testing.js";
import { sendFull } from "./full.js";
import type { Listed } from "./lists.js";

/** A hundred of them are more than two sockets hold for somebody who reads nothing. */
const WORDS = "words ".repeat(80_000);

/** A server that sends a space as one text; which pages were asked for, and the warnings of the process since. */
async function serve(count: number) {
  const asked: string[] = [];
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const pages = Array.from({ length: count }, (_, at) => page(`${at}`, `Page ${at}`));
  const query = async ({ pageId }: { pageId: string }) => {
    asked.push(pageId);
    return { type: "document", markdown: `# Page ${pageId}\n\n${WORDS}` };
  };
  const place = {
    visitor: { content: { revisionContent: { page: { query } } } },
    canonical: "https://docs.example/",
  };
  const listed = { place, space: spaceFrom("k", { pages, files: [] }), site: { title: "A site" } };
  const server = createServer((req, res) => {
    void sendFull(req, res, listed as unknown as Listed, { part: 1, cache: "no-store" });
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
