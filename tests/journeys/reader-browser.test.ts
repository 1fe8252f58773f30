import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../../scripts/check-reader/check.js";
import { type Api, code, hostile, operations, startApi } from "../../scripts/check-reader/checks/blocks.js";
import {
  accessible,
  firstVisit,
  keyboard,
  layout,
  noScript,
  quiet,
} from "../../scripts/check-reader/checks/browser.js";
import { complete, machines, paper, whole } from "../../scripts/check-reader/checks/pages.js";
import { type Lab, writeLab } from "../../scripts/check-reader/lab.js";
import { browserPath, startBrowser } from "../harness/browser.js";
import { createClient } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// What no look at the HTML can tell: some of the checks of `npm run check-reader`, where this machine has a browser.

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
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    api?.stop();
  });

  const one = (check: () => Check, name: string) =>
    test(name, async () => {
      const failures: string[] = [];
      const report = { fail: (what: string) => void failures.push(what), note: () => {} };
      await check().run({ browser, sites: [], lab, sample: 4 }, report);
      expect(failures).toEqual([]);
    }, 240_000);
  const known = [whole, complete, noScript, keyboard, accessible, layout, quiet, code, machines, paper];
  for (const check of known) one(() => check, check.name);
  one(() => operations(api), "what is sent from an operation is what its sample says");
  one(() => hostile, hostile.name);

  test("the first visit to a site is five requests and forty kilobytes at most", async () => {
    const { bytes, requests } = await firstVisit(browser, lab.address);
    expect(requests).toBeLessThanOrEqual(5);
    expect(bytes).toBeLessThanOrEqual(40_000);
  }, 60_000);
}
