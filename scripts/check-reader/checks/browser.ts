import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { type Check, type Report, sampleOf, visit } from "../check.js";
import type { Lab } from "../lab.js";
import type { Site } from "../site.js";
import { pagesOf } from "./pages.js";

export const noScript: Check = {
  number: 3,
  name: "no script: everything can be read and reached with JavaScript off",
  async run({ lab, browser }, { fail }) {
    const options = { javaScriptEnabled: false };
    await visit(
      browser,
      `${lab.address}blocks`,
      async (page) => {
        await page.getByText("More").first().click();
        if (!(await page.getByText("Folded away").isVisible())) fail("what is folded away does not open");
        await page.locator(".tabs > label").nth(1).click();
        if (!(await page.getByText("Other tab").isVisible())) fail("another tab does not open");
        if ((await page.locator(".side a").count()) < lab.pages.length) fail("the sidebar lacks pages");
        await page.locator(".around a.next").click();
        if (!page.url().endsWith("/diagrams")) fail(`the next page is ${page.url()}`);
        await page.locator(".bar input[name=q]").fill("platypus");
        await page.keyboard.press("Enter");
        await page.waitForURL(/~octavo\/search\?q=platypus/);
        if ((await page.locator(".results a").count()) === 0) fail("the search form finds nothing");
      },
      options,
    );
  },
};

const focused = (page: Page) =>
  page.evaluate(() => {
    const { tagName, className } = document.activeElement as HTMLElement;
    return `${tagName}.${className}`;
  });

export const keyboard: Check = {
  number: 4,
  name: "keyboard: skip link, search by its keys, no trap, and focus can be seen",
  async run({ lab, browser }, { fail, note }) {
    await visit(browser, lab.address, async (page) => {
      await page.keyboard.press("Tab");
      if ((await focused(page)) !== "A.skip") fail(`the first Tab leads to ${await focused(page)}`);
      for (const keys of ["Control+k", "/"]) {
        await page.keyboard.press(keys);
        if (!(await page.locator("dialog.search[open]").count())) fail(`${keys} does not open the search`);
        await page.keyboard.type("platyp");
        await page.waitForSelector("dialog.search [role=option]", { timeout: 10_000 });
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowUp");
        const chosen = page.locator("dialog.search [aria-selected=true]");
        if ((await chosen.count()) !== 1) fail("arrows choose none of what was found");
        await page.keyboard.press("Escape");
        if (await page.locator("dialog.search[open]").count()) await page.keyboard.press("Escape");
        if (await page.locator("dialog.search[open]").count()) fail("Escape does not close the search");
        if ((await focused(page)) !== "A.skip") fail(`Escape leaves the focus at ${await focused(page)}`);
      }
    });
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    await visit(
      browser,
      lab.address,
      async (page) => {
        await page.locator(".bar .find input").tap();
        await page.keyboard.type("platyp");
        const found = page.locator("dialog.search [role=option]").first();
        await found.waitFor({ timeout: 10_000 }).catch(() => fail("a touch does not open the search"));
      },
      phone,
    );
    await visit(browser, `${lab.address}blocks`, async (page) => {
      const stops = new Set<string>();
      let unseen = 0;
      for (let press = 0; press < 120; press += 1) {
        await page.keyboard.press("Tab");
        const seen = await page.evaluate(() => {
          const active = document.activeElement as HTMLElement | null;
          if (!active || active === document.body) return undefined;
          const style = getComputedStyle(active);
          const label = active.matches("input")
            ? getComputedStyle(active.nextElementSibling ?? active)
            : style;
          const drawn = [style, label].some(
            (one) => (one.outlineStyle !== "none" && one.outlineWidth !== "0px") || one.boxShadow !== "none",
          );
          const within = active.closest(".find") !== null;
          return { what: active.outerHTML.slice(0, 120), drawn: drawn || within };
        });
        if (!seen) break;
        stops.add(seen.what);
        if (!seen.drawn) {
          unseen += 1;
          fail(`the focus cannot be seen at ${seen.what}`);
        }
      }
      note(`${stops.size} stops, ${unseen} unseen`);
      if (stops.size < 15) fail(`Tab stops at ${stops.size} places only`);
    });
  },
};

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const accessible: Check = {
  number: 6,
  name: "axe: WCAG 2.2 AA in light and dark, on phones and desktops; the theme stands before the first paint",
  async run({ sites, lab, browser, sample }, { fail, note }) {
    let looked = 0;
    for (const site of [lab, ...sites])
      for (const { url } of sampleOf(site.pages, sample))
        for (const [colorScheme, width] of [
          ["light", 1280],
          ["dark", 360],
        ] as const)
          await visit(
            browser,
            url,
            async (page) => {
              looked += 1;
              const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
              for (const { id, nodes } of violations)
                fail(`${url} (${colorScheme}, ${width}): ${id} at ${nodes[0]!.html.slice(0, 160)}`);
            },
            { colorScheme, viewport: { width, height: 800 } },
          );
    note(`${looked} looks`);
    for (const query of ["platyp", "nobodywrotethis"])
      await visit(browser, lab.address, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type(query);
        await page.locator("dialog.search [role=status]:not(:empty)").waitFor({ state: "attached" });
        const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
        for (const { id, nodes } of violations)
          fail(`the list for ${query}: ${id} at ${nodes[0]!.html.slice(0, 160)}`);
      });
    await visit(browser, lab.address, async (page) => {
      await page.locator("[data-theme-switch]").click();
      await page.goto(`${lab.address}blocks`, { waitUntil: "commit" });
      const theme = await page.evaluate(() => document.documentElement.dataset.theme);
      if (theme !== "dark") fail(`the theme that was chosen is ${theme} on the next page`);
    });
  },
};

/** Where the entry of a page in the sidebar stands in the window. */
const entryAt = (page: Page, name: string) =>
  page.evaluate((title) => {
    const entries = [...document.querySelectorAll(".side li")];
    const entry = entries.find((one) => one.firstElementChild?.textContent === title);
    return entry?.firstElementChild?.getBoundingClientRect().top ?? Number.NaN;
  }, name);

/** The sidebar is where readers left it on each page that they come to by it, and shows the page that they are on. */
async function staysInPlace(browser: Parameters<typeof visit>[0], { address, pages }: Site, report: Report) {
  const options = { viewport: { width: 1280, height: 400 } };
  await visit(
    browser,
    address,
    async (page) => {
      for (let click = 0; click < 20; click += 1) {
        const links = page.locator(".side a[href]");
        const link = links.nth((click * 7 + 3) % (await links.count()));
        await link.scrollIntoViewIfNeeded();
        const name = (await link.textContent()) ?? "";
        if (pages.filter(({ title }) => title === name).length !== 1) continue;
        const loaded = page.waitForEvent("load");
        // Not by the browser's driver, which may scroll to an entry once more before it clicks.
        const before = await link.evaluate((entry: HTMLElement) => {
          const { top } = entry.getBoundingClientRect();
          entry.click();
          return top;
        });
        await loaded;
        const after = await entryAt(page, name);
        // What lies above may have closed: a sidebar that is at its end can not be moved further.
        const isAtEnd = await page.evaluate(() => {
          const { scrollTop, scrollHeight, clientHeight } = document.querySelector(".side")!;
          return scrollTop === 0 || scrollTop + clientHeight >= scrollHeight - 1;
        });
        if (!isAtEnd && !(Math.abs(after - before) <= 2))
          report.fail(`the sidebar leaves ${name}: ${before}, ${after}`);
        const current = page.locator(".side [aria-current=page]");
        if (!(await current.first().isVisible())) report.fail(`${name} is out of sight in the sidebar`);
      }
    },
    options,
  );
}

/** What stands beside a page on a desktop is reached by buttons on a phone, also without scripts. */
async function reachedOnPhones(browser: Parameters<typeof visit>[0], { address }: Lab, { fail }: Report) {
  for (const javaScriptEnabled of [true, false]) {
    const phone = {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      javaScriptEnabled,
    };
    await visit(
      browser,
      address,
      async (page) => {
        await page.locator(".toc").tap();
        await page.locator(".outline nav a").last().tap({ timeout: 5_000 });
        if (!page.url().endsWith("#next-steps")) fail(`the outline of a phone leads to ${page.url()}`);
        await page.goto(address);
        await page.locator(".menu").tap();
        await page.locator(".side a", { hasText: "Blocks" }).tap({ timeout: 5_000 });
        await page.waitForURL(`${address}blocks`);
      },
      phone,
    ).catch((error: Error) => fail(`on a phone: ${error.message}`));
  }
}

export const layout: Check = {
  number: 7,
  name: "layout: no page scrolls sideways at 320 pixels, sidebar and outline scroll to their ends, stay, and are reached on phones",
  async run({ sites, lab, browser, sample }, report) {
    const { fail } = report;
    for (const site of [lab, ...sites]) await staysInPlace(browser, site, report);
    await reachedOnPhones(browser, lab, report);
    for (const site of [lab, ...sites])
      for (const { url } of sampleOf(site.pages, 2 * sample)) {
        const options = { viewport: { width: 320, height: 640 } };
        const wide = await visit(browser, url, (page) => page.evaluate(WIDER), options);
        if (wide !== "") fail(`${url} is ${wide}`);
      }
    for (const site of sites) {
      const page = site.pages.at(-1)!;
      const options = { viewport: { width: 1280, height: 500 } };
      await visit(
        browser,
        page.url,
        async (opened) => {
          for (const selector of [".side", ".outline"]) {
            const hidden = await opened.evaluate((name) => {
              const box = document.querySelector(name);
              if (!box) return false;
              box.scrollTop = box.scrollHeight;
              const last = [...box.querySelectorAll("a")].at(-1)?.getBoundingClientRect();
              return last !== undefined && last.bottom > innerHeight + 1;
            }, selector);
            if (hidden) fail(`${page.url}: ${selector} cannot be scrolled to its end`);
          }
          const current = opened.locator(".side [aria-current=page]");
          await opened.reload();
          if (!(await current.first().isVisible()))
            fail(`${page.url}: the page is out of sight in the sidebar`);
        },
        options,
      );
    }
  },
};

/** Says which element makes a page wider than it is; nothing where none does. */
const WIDER = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return "";
  const one = [...document.querySelectorAll("main *")].find((element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).overflowX !== "visible") return false;
    return element.getBoundingClientRect().right > clientWidth + 1;
  });
  return scrollWidth + " wide by " + (one ? one.outerHTML.slice(0, 160) : "something");
})()`;

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
