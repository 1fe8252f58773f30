import type { Page } from "playwright-core";
import { type Check, type Report, visit, visitEach } from "../check.js";
import type { Lab } from "../lab.js";
import type { Site } from "../site.js";

/** Where the entry of a page in the sidebar stands in the window. */
const entryAt = (page: Page, name: string) =>
  page.evaluate((title) => {
    const entries = [...document.querySelectorAll(".side li")];
    const entry = entries.find((one) => one.firstElementChild?.textContent === title);
    return entry?.firstElementChild?.getBoundingClientRect().top ?? Number.NaN;
  }, name);

/** Where an entry stands once branches that were open are open again: where it was, or after a second. */
async function restoredTop(page: Page, name: string, before: number): Promise<number> {
  const end = Date.now() + 1_000;
  let top = await entryAt(page, name);
  while (!(Math.abs(top - before) <= 2) && Date.now() < end) {
    await page.waitForTimeout(50);
    top = await entryAt(page, name);
  }
  return top;
}

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
        const after = await restoredTop(page, name, before);
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

/** The search closes by a button that a finger meets, and leaves the focus where it was. */
async function searchCloses(page: Page, fail: Report["fail"]) {
  await page.locator(".bar [data-search] input").tap();
  const close = page.locator("dialog.search button");
  const { width = 0, height = 0 } = (await close.boundingBox()) ?? {};
  if (Math.min(width, height) < 44) fail(`the button that closes the search is ${width} by ${height}`);
  if (!(await close.getAttribute("aria-label"))) fail("the button that closes the search has no name");
  await close.tap();
  if (await page.locator("dialog.search[open]").count()) fail("the search is not closed by its button");
  if (!(await page.locator(".bar [data-search] input:focus").count()))
    fail("the search that is closed leaves the focus elsewhere");
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
        if (javaScriptEnabled) await searchCloses(page, fail);
      },
      phone,
    ).catch((error: Error) => fail(`on a phone: ${error.message}`));
  }
}

export const layout: Check = {
  name: "layout: no page scrolls sideways at 320 pixels, sidebar and outline scroll to their ends, stay, and are reached on phones",
  async run({ sites, lab, browser }, report) {
    const { fail, note } = report;
    for (const site of [lab, ...sites]) await staysInPlace(browser, site, report);
    await reachedOnPhones(browser, lab, report);
    const urls = [lab, ...sites].flatMap(({ pages }) => pages.map(({ url }) => url));
    const narrow = { viewport: { width: 320, height: 640 } };
    await visitEach(
      browser,
      urls,
      async (url, page) => {
        const wide = await page.evaluate(WIDER);
        if (wide !== "") fail(`${url} is ${wide}`);
      },
      narrow,
    );
    note(`${urls.length} pages`);
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
