import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserPath, startBrowser } from "../harness/browser.js";
import { openPage, pageWith } from "../harness/reader-pages.js";

// What the scripts of pages do where something is not as usual. None of it takes a service.

let browser: Browser;
beforeAll(async () => {
  if (browserPath) browser = await startBrowser();
});
afterAll(() => browser?.close());

const inBrowser = test.skipIf(!browserPath);

inBrowser("a fragment that encodes nothing leaves the scripts of a page at work", async () => {
  const pages = { "/": pageWith({ body: '<div class="text"><h2 id="100%">All of it</h2></div>' }) };
  const { page, context, errors } = await openPage(browser, { path: "/#100%", pages });
  await page.keyboard.press("/");
  await page.locator("dialog.search[open]").waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
