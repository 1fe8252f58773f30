import { type Check, sampleOf, visit } from "../check.js";
import { pagesOf } from "./pages.js";

export const quiet: Check = {
  number: 8,
  name: "quiet: no errors, no cookies, no requests to others, and nothing moves while a page loads",
  async run({ sites, lab, browser, sample }, { fail, note }) {
    let moved = 0;
    for (const site of [lab, ...sites])
      for (const { url } of sampleOf(site.pages, 3 * sample))
        await visit(browser, url, async (page, complaints) => {
          const shift = await page.evaluate(SHIFTED);
          moved = Math.max(moved, Number(shift));
          if (Number(shift) > 0.01) fail(`${url} moves by ${shift}`);
          for (const error of complaints.errors) fail(`${url}: ${error}`);
          for (const request of complaints.foreign) fail(`${url} asks ${request}`);
          if ((await page.context().cookies()).length > 0) fail(`${url} sets a cookie`);
        });
    note(`layout moves by at most ${moved.toFixed(4)}`);
  },
};

/** How much the layout has moved since the page began. */
const SHIFTED = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 150);
})`;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const weight: Check = {
  number: 9,
  name: "weight: a first visit is at most 40 kB and 5 requests, the HTML 18 kB in the middle, without images and fonts",
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
      note(
        `${site.name}: HTML ${middle.toFixed(1)} kB in the middle, ${Math.max(...sizes).toFixed(1)} kB at most`,
      );
      if (middle > 18) fail(`${site.name}: the HTML is ${middle.toFixed(1)} kB in the middle`);
    }
    for (const site of [lab, ...sites]) {
      const { bytes, requests, kinds } = await firstVisit(browser, site.address);
      note(`${site.name}: first visit ${(bytes / 1000).toFixed(1)} kB in ${requests} requests (${kinds})`);
      if (bytes > 40_000) fail(`${site.name}: a first visit is ${bytes} bytes`);
      if (requests > 5) fail(`${site.name}: a first visit is ${requests} requests`);
    }
  },
};

/** What the first visit to a page transfers, images and fonts not counted. */
export async function firstVisit(browser: Parameters<typeof visit>[0], url: string) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const kinds = new Map<string, number>();
    let [bytes, requests] = [0, 0];
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const types = new Map<string, string>();
    session.on("Network.responseReceived", ({ requestId, type }) => void types.set(requestId, type));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const type = types.get(requestId) ?? "";
      if (type === "Image" || type === "Font") return;
      bytes += encodedDataLength;
      requests += 1;
      kinds.set(type, (kinds.get(type) ?? 0) + encodedDataLength);
    });
    await page.goto(url, { waitUntil: "networkidle" });
    return { bytes, requests, kinds: [...kinds].map(([kind, size]) => `${kind} ${size}`).join(", ") };
  } finally {
    await context.close();
  }
}
