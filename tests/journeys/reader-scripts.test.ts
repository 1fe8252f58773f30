import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserPath, startBrowser } from "../harness/browser.js";
import { openPage, pageWith, plainSite } from "../harness/reader-pages.js";

// What the scripts of pages do where something is not as usual. None of it takes a service.

let browser: Browser;
beforeAll(async () => {
  if (browserPath) browser = await startBrowser();
});
afterAll(() => browser?.close());

const inBrowser = test.skipIf(!browserPath);
const { words } = plainSite;

inBrowser("a fragment that encodes nothing leaves the scripts of a page at work", async () => {
  const pages = { "/": pageWith({ body: '<div class="text"><h2 id="100%">All of it</h2></div>' }) };
  const { page, context, errors } = await openPage(browser, { path: "/#100%", pages });
  await page.keyboard.press("/");
  await page.locator("dialog.search[open]").waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

const CODE = pageWith({
  body: '<figure class="code"><pre><code>first\n\tsecond</code></pre></figure><textarea></textarea>',
});

for (const origin of ["https://docs.test", "http://docs.test"])
  inBrowser(`code is copied as it is written from ${origin}, and the button has its name again`, async () => {
    const { page, context, errors } = await openPage(browser, { origin, pages: { "/": CODE } });
    if (origin.startsWith("https")) await context.grantPermissions(["clipboard-write"], { origin });
    expect(await page.evaluate("isSecureContext")).toBe(origin.startsWith("https"));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const button = page.locator("button.copy");
    await button.click();
    await page.locator("button.copy", { hasText: words.document.copied }).waitFor();
    await page.clock.runFor(1_000);
    await button.click();
    await page.clock.runFor(5_000);
    expect(await button.textContent()).toBe(words.document.copy);
    await page.clock.resume();
    await page.locator("main textarea").focus();
    await page.keyboard.press("Control+V");
    expect(await page.locator("main textarea").inputValue()).toBe("first\n\tsecond");
    expect(errors).toEqual([]);
    await context.close();
  });

inBrowser("a page that cannot be read is not copied, and the button says so", async () => {
  const outline = '<button type="button" data-copy-page="/page.md" hidden>Copy page</button>';
  let status = 503;
  const pages = {
    "/": pageWith({ body: "", outline }),
    "/page.md": () => ({ status, text: status === 200 ? "# The page" : "The site is away" }),
  };
  const { page, context } = await openPage(browser, { pages });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: "https://docs.test" });
  const button = page.locator("[data-copy-page]");
  await button.click();
  await page.locator("[data-copy-page]", { hasText: words.failed }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).not.toContain("away");
  await page.locator("[data-copy-page]:not(.done)").waitFor();
  status = 200;
  await button.click();
  await page.locator("[data-copy-page]", { hasText: words.document.copied }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("# The page");
  await context.close();
});
