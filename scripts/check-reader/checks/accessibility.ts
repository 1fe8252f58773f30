import type { Page } from "playwright-core";
import { type Check, visit } from "../check.js";

export const noScript: Check = {
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
          const around = active.closest(".find") ?? active.nextElementSibling ?? active;
          const label = active.matches("input") ? getComputedStyle(around) : style;
          const drawn = [style, label].some(
            (one) => (one.outlineStyle !== "none" && one.outlineWidth !== "0px") || one.boxShadow !== "none",
          );
          return { what: active.outerHTML.slice(0, 120), drawn };
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
