import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, constants } from "node:zlib";
import { type Check, textAt, visit, visitEach } from "../check.js";
import { pagesOf } from "../page-texts.js";

export const quiet: Check = {
  name: "quiet: no page has errors, sets cookies or asks others, and nothing moves while it loads",
  async run({ sites, lab, browser }, { fail, note }) {
    let most = 0;
    const urls = [lab, ...sites].flatMap(({ pages }) => pages.map(({ url }) => url));
    await visitEach(browser, urls, async (url, page, { errors, foreign }) => {
      const diagrams = page.locator(".diagram.drawn > iframe").first();
      // Broken ones are never drawn; of those in sight one is waited for, which moves the page if any does.
      if (await page.locator(".diagram").count()) await diagrams.waitFor({ timeout: 5_000 }).catch(() => {});
      const moved = await page.evaluate<Moved>(SHIFTED);
      most = Math.max(most, moved.sum);
      // Less than a line of text that moves by a line.
      if (moved.sum > 0.001) fail(`${url} moves by ${moved.sum.toFixed(4)}: ${moved.what}`);
      for (const error of errors) fail(`${url}: ${error}`);
      for (const request of foreign) fail(`${url} asks ${request}`);
      if ((await page.context().cookies()).length > 0) fail(`${url} sets a cookie`);
    });
    const { sum, what } = await movedInPieces(browser, `${lab.address}blocks`);
    if (sum > 0) fail(`a page that arrives in pieces moves by ${sum.toFixed(4)}: ${what}`);
    for (const height of HEIGHTS) {
      const { sum, what } = await visit(
        browser,
        `${lab.address}parts`,
        (page) => page.evaluate<Moved>(SHIFTED),
        { viewport: { width: 1280, height } },
      );
      if (sum > 0) fail(`a page of low blocks moves by ${sum.toFixed(4)} on ${height} pixels: ${what}`);
    }
    note(`${urls.length} pages, layout moves by at most ${most.toFixed(4)}`);
  },
};

/** How much a page moves whose header, table and rest arrive after each other, as on a slow connection. */
async function movedInPieces(browser: Parameters<typeof visit>[0], url: string): Promise<Moved> {
  const html = await textAt(url);
  const { origin, pathname } = new URL(url);
  const ends = ["data-search", "<tbody>", "</html>"].map((end) => html.indexOf(end) + end.length);
  const server = createServer(async ({ url: asked = "" }, response) => {
    if (asked === pathname) {
      response.setHeader("content-type", "text/html; charset=utf-8");
      for (const [index, end] of ends.entries()) {
        response.write(html.slice(ends[index - 1] ?? 0, end));
        await sleep(PAUSE_MS);
      }
      response.end();
    } else {
      const file = await fetch(origin + asked);
      response.writeHead(file.status, { "content-type": file.headers.get("content-type") ?? "" });
      response.end(Buffer.from(await file.arrayBuffer()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await visit(browser, `http://localhost:${port}${pathname}`, (page) =>
      page.evaluate<Moved>(SHIFTED),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const PAUSE_MS = 500;

/** Heights of windows, in pixels: the higher one is, the more blocks are on the first screen. */
const HEIGHTS = [720, 880, 1080, 1440];

interface Moved {
  sum: number;
  what: string;
}

/** How much the layout has moved since the page began, and what of it. */
const SHIFTED = `new Promise((resolve) => {
  let sum = 0;
  const moved = new Set();
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      sum += value;
      for (const { node } of sources) moved.add(node?.outerHTML?.slice(0, 120) ?? node?.textContent?.slice(0, 60));
    }
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve({ sum, what: [...moved].slice(0, 3).join(" ") }), 150);
})`;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const weight: Check = {
  name: "weight: a first visit is at most 40 kB and 5 requests with its fonts, without images; the HTML 18 kB in the middle",
  async run({ sites, lab, browser }, { fail, note }) {
    for (const site of sites) {
      const texts = await pagesOf(site, fail);
      const sizes: number[] = [];
      for (const url of texts.keys()) {
        const { headers, body } = await fetch(url, { headers: { "accept-encoding": "br" } });
        await body?.cancel();
        sizes.push(Number(headers.get("content-length")) / 1000);
      }
      const middle = median(sizes);
      const beside = median([...texts.values()].map(sidebarIn));
      note(
        `${site.name}: HTML ${middle.toFixed(1)} kB in the middle, ${Math.max(...sizes).toFixed(1)} kB at most, ${beside.toFixed(1)} kB of it for the sidebar of ${texts.size} pages`,
      );
      if (beside > 8) fail(`${site.name}: the sidebar is ${beside.toFixed(1)} kB`);
      if (middle > 18) fail(`${site.name}: the HTML is ${middle.toFixed(1)} kB in the middle`);
    }
    for (const site of [lab, ...sites]) {
      const { bytes, requests, kinds } = await firstVisit(browser, site.address);
      const inKinds = [...kinds].map((one) => one.join(" ")).join(", ");
      note(`${site.name}: first visit ${kilobytes(bytes)} in ${requests} requests (${inKinds})`);
      if (bytes > 40_000) fail(`${site.name}: a first visit is ${bytes} bytes`);
      for (const [kind, most] of Object.entries(MOST_OF))
        if ((kinds.get(kind) ?? 0) > most) fail(`${site.name}: ${kinds.get(kind)} bytes of ${kind}`);
      if (requests > 5) fail(`${site.name}: a first visit is ${requests} requests`);
    }
  },
};

/** How many kilobytes the sidebar of a page adds to it, compressed. */
function sidebarIn(html: string): number {
  const size = (text: string) => brotliCompressSync(text, { params: FAST }).length / 1000;
  return size(html) - size(html.replace(/<nav class="side".*?<\/nav>/s, ""));
}
const FAST = { [constants.BROTLI_PARAM_QUALITY]: 5 };

/** The most that a kind of file may be in a first visit, in bytes. */
const MOST_OF: Record<string, number> = { Script: 10_000, Stylesheet: 12_000 };

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** What the first visit to a page transfers without images, with headers, in bytes: all of it, and by kinds of files. */
export async function firstVisit(browser: Parameters<typeof visit>[0], url: string) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const kinds = new Map<string, number>();
    let [bytes, requests] = [0, 0];
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const types = new Map<string, string>();
    session.on("Network.responseReceived", ({ requestId, type, response: { mimeType } }) => {
      types.set(requestId, mimeType.startsWith("image/") ? "Image" : type);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const type = types.get(requestId) ?? "";
      if (type === "Image") return;
      bytes += encodedDataLength;
      requests += 1;
      kinds.set(type, (kinds.get(type) ?? 0) + encodedDataLength);
    });
    await page.goto(url, { waitUntil: "networkidle" });
    return { bytes, requests, kinds };
  } finally {
    await context.close();
  }
}
