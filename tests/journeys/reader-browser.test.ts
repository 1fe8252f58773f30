import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../../scripts/check-reader/check.js";
import { keyboard, noScript } from "../../scripts/check-reader/checks/accessibility.js";
import { accessible } from "../../scripts/check-reader/checks/axe.js";
import {
  type Api,
  code,
  isKept,
  operations,
  requestIn,
  startApi,
} from "../../scripts/check-reader/checks/blocks.js";
import { complete } from "../../scripts/check-reader/checks/complete.js";
import { machines } from "../../scripts/check-reader/checks/formats.js";
import { hostile } from "../../scripts/check-reader/checks/hostile.js";
import { layout } from "../../scripts/check-reader/checks/layout.js";
import { firstVisit, quiet } from "../../scripts/check-reader/checks/loading.js";
import { paper } from "../../scripts/check-reader/checks/paper.js";
import { variants } from "../../scripts/check-reader/checks/variants.js";
import { whole } from "../../scripts/check-reader/checks/whole.js";
import { type Lab, writeLab } from "../../scripts/check-reader/lab.js";
import { browserPath, listen, startBrowser } from "../harness/browser.js";
import { createClient } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// What no look at the HTML can show: some of the checks of `npm run check-reader`, where this machine has a browser.

if (browserPath) describeSite();
else
  test("no browser is on this machine, so sites are not looked at in one: set OCTAVO_CHROMIUM to one", () => {
    expect(browserPath).toBeUndefined();
  });

function describeSite() {
  let browser: Browser;
  let lab: Lab;
  let api: Api;

  beforeAll(async () => {
    const call = createClient(await sharedStack());
    api = await startApi();
    lab = await writeLab(call, makerOf(call), api.url);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    api?.stop();
  });

  const one = (check: () => Check, name: string) =>
    test(name, async () => {
      const failures: string[] = [];
      const report = {
        fail: (what: string) => void failures.push(what),
        note: () => {},
        leaveOut: (why: string) => void failures.push(why),
      };
      await check().run({ browser, sites: [], lab, sample: 4 }, report);
      expect(failures).toEqual([]);
    });
  const known = [whole, complete(), noScript, keyboard, accessible, layout, quiet, code, machines, paper()];
  for (const check of [...known, variants]) one(() => check, check.name);
  one(() => operations(api), "an operation sends the request of its sample");
  one(() => hostile, hostile.name);

  test("the reference shows an operation as sites do, sends its sample, and keeps a token in memory alone", async () => {
    const stack = await sharedStack();
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints = listen(page, stack.base);
    await page.goto(`${stack.base}/docs`);
    await page.locator(".bar [data-token]").fill(stack.token);
    await page.locator("#search").fill("orgs create organization space");
    await page.locator("#found a", { hasText: "POST" }).first().waitFor();
    await page.locator("#search").fill("get /v1/user");
    await page.locator('#found a[title="GET /v1/user"]').click();
    await page.waitForURL(/\/docs\/\w+$/);
    const trial = page.locator("[data-trial]");
    await trial.locator("summary").click();
    expect(await trial.locator("[data-token]").inputValue()).toBe(stack.token);
    const sent = page.waitForRequest(`${stack.base}/v1/user`);
    await trial.locator("button[type=submit]").click();
    const request = await sent;
    await trial.locator("output b", { hasText: "200" }).waitFor();
    const sample = requestIn((await page.locator("[data-sample]").textContent()) ?? "", stack.token);
    expect(sample).toMatchObject({
      method: request.method(),
      url: request.url(),
      body: request.postData() ?? "",
      authorization: request.headers().authorization,
    });
    expect(await isKept(page, stack.token)).toBe(false);
    await page.goBack();
    await page.locator("h1", { hasText: "API reference" }).waitFor();
    expect(await page.locator(".bar [data-token]").inputValue()).toBe(stack.token);
    const operation = await browser.newContext({ javaScriptEnabled: false });
    const plain = await operation.newPage();
    await plain.goto(request.url().replace("/v1/user", "/docs/"));
    await plain.locator("#navigation a").first().click();
    expect(await plain.locator("article.api").count()).toBe(1);
    expect(complaints).toEqual({ errors: [], foreign: [] });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
    await Promise.all([context.close(), operation.close()]);
  });

  test("the outline of a page stands beside it, also where the page has no sidebar", async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
    await page.goto(`${lab.address}blocks`);
    // As the page is where its layout leaves out the table of contents.
    await page.locator(".layout").evaluate((layout) => {
      layout.classList.add("bare");
      layout.querySelector(".side")?.remove();
    });
    const [text, outline] = await Promise.all(
      ["main.page", "aside.outline"].map((name) => page.locator(name).boundingBox()),
    );
    expect(outline!.x).toBeGreaterThanOrEqual(text!.x + text!.width);
    expect(outline!.y).toBeLessThan(text!.y + 100);
    await page.close();
  });

  test("the first visit to a site is five requests and forty kilobytes at most", async () => {
    const { bytes, requests } = await firstVisit(browser, lab.address);
    expect(requests).toBeLessThanOrEqual(5);
    expect(bytes).toBeLessThanOrEqual(40_000);
  });
}
