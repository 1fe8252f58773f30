import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { type Check, sampleOf, visit, visitEach } from "../check.js";

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
        leaveBy(page, "Enter");
        await page.waitForURL(/~octavo\/search\?q=platypus/);
        if ((await page.locator(".results a").count()) === 0) fail("the search form finds nothing");
      },
      options,
    );
  },
};

/** Presses a key that leads elsewhere. It is not waited for: the page may be gone before the browser has acknowledged it. */
const leaveBy = (page: Page, key: string) => void page.keyboard.press(key).catch(() => undefined);

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
      await page.keyboard.press("/");
      await page.keyboard.type("wide");
      await page.waitForSelector("dialog.search [role=option]", { timeout: 10_000 });
      const to = await page.locator("dialog.search [aria-selected=true]").getAttribute("href");
      leaveBy(page, "Enter");
      await page
        .waitForURL(new URL(to ?? "none", lab.address).href, { timeout: 10_000 })
        .catch(() => fail(`Enter leads to ${page.url()}, not to ${to}`));
    });
    await visit(browser, lab.address, async (page) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/[?&]part=1/, async (route) => {
        await held;
        await route.continue();
      });
      await page.keyboard.press("/");
      await page.keyboard.type("platyp");
      const busy = page.locator("dialog.search[aria-busy]");
      await busy.waitFor({ timeout: 10_000 }).catch(() => fail("a search under way is not shown to be"));
      release();
      await page.waitForSelector("dialog.search [role=option]", { timeout: 10_000 });
      if (await busy.count()) fail("a search that is done is shown to be under way");
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
      let [unseen, left] = [0, false];
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
        left = seen === undefined;
        if (!seen) break;
        stops.add(seen.what);
        if (!seen.drawn) {
          unseen += 1;
          fail(`the focus cannot be seen at ${seen.what}`);
        }
      }
      note(`${stops.size} stops, ${unseen} unseen`);
      if (!left) fail("Tab does not lead out of the page");
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
    const urls = [lab, ...sites].flatMap(({ pages }) => sampleOf(pages, sample).map(({ url }) => url));
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1280, 360])
        await visitEach(
          browser,
          urls,
          async (url, page) => {
            looked += 1;
            for (const one of await violationsOf(page)) fail(`${url} (${colorScheme}, ${width}): ${one}`);
          },
          { colorScheme, viewport: { width, height: 800 } },
        );
    note(`${looked} looks`);
    for (const query of ["platyp", "nobodywrotethis"])
      await visit(browser, lab.address, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type(query);
        await page.locator("dialog.search [role=status]:not(:empty)").waitFor({ state: "attached" });
        for (const one of await violationsOf(page)) fail(`the list for ${query}: ${one}`);
      });
    for (const colorScheme of ["light", "dark"] as const)
      await visit(
        browser,
        lab.address,
        async (page) => {
          if ((await schemeOf(page)) !== colorScheme) fail(`a system that is ${colorScheme} is not followed`);
          await page.locator("[data-theme-switch]").click();
          await page.goto(`${lab.address}blocks`, { waitUntil: "commit" });
          const theme = await page.evaluate(() => document.documentElement.dataset.theme);
          if (theme !== (colorScheme === "dark" ? "light" : "dark"))
            fail(`the theme that was chosen is ${theme} on the next page`);
        },
        { colorScheme },
      );
  },
};

/** Where a page violates the guidelines. */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  return violations.map(({ id, nodes }) => `${id} at ${nodes[0]!.html.slice(0, 160)}`);
}

/** Whether a page is light or dark, by the colour of its paper. */
const schemeOf = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return red + green + blue > 384 ? "light" : "dark";
  })()`);
