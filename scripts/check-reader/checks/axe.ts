import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { type Check, sampleOf, visit, visitEach } from "../check.js";
import { publishColored, specialPages } from "../colored.js";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const accessible: Check = {
  name: "axe: WCAG 2.2 AA in light and dark, on phones and desktops, in colors of a site; the theme stands before the first paint",
  async run({ sites, lab, browser, sample }, { fail, note }) {
    let looked = 0;
    const urls = [lab, ...sites].flatMap(({ pages }) => sampleOf(pages, sample).map(({ url }) => url));
    urls.push(...specialPages(lab.address), ...(await publishColored(lab)));
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
