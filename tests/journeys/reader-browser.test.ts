import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOSTILE } from "../../packages/html/src/testing/hostile.js";
import { browserPath, listen, startBrowser } from "../harness/browser.js";
import { type Client, createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// A published site in a browser, where this machine has one: what no look at the HTML can tell.

if (browserPath) describeSite();
else
  test("no browser is on this machine, so sites are not looked at in one: set OCTAVO_CHROMIUM to one", () => {
    expect(browserPath).toBeUndefined();
  });

function describeSite() {
  let browser: Browser;
  let address: string;
  let call: Client;

  const open = async (path = "", options: Parameters<Browser["newContext"]>[0] = {}) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints = listen(page, new URL(address).origin);
    await page.goto(address + path, { waitUntil: "networkidle" });
    return { page, complaints, context };
  };

  beforeAll(async () => {
    call = createClient(await sharedStack());
    const make = makerOf(call);
    const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
    const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Looked at" })).id;
    const changes = [
      page("Welcome", "Hello.\n\n## First steps\n\nOne word: platypus.\n\n## Next steps\n\nTwo."),
      page(
        "Blocks",
        '{% tabs %}\n{% tab title="A" %}\n```js\nconst a = "<b>";\n```\n{% endtab %}\n\n{% tab title="B" %}\nTwo\n{% endtab %}\n{% endtabs %}\n\n' +
          '{% hint style="warning" %}\nCareful\n{% endhint %}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n$$x^2$$\n\n<details>\n\n<summary>More</summary>\n\nHidden\n\n</details>',
      ),
      page(
        "Hostile",
        HOSTILE.filter((text) => !/[\0\n]/.test(text))
          .slice(0, 200)
          .join("\n\n"),
      ),
    ];
    const { id } = await make("POST", `/spaces/${space}/change-requests`, { subject: "Write" });
    await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
    await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
    const site = (await make("POST", `/orgs/${organization}/sites`, { title: "Looked at", spaces: [space] }))
      .id;
    await make("POST", `/orgs/${organization}/sites/${site}/publish`);
    const read = await call<{ urls: { published: string } }>("GET", `/orgs/${organization}/sites/${site}`);
    address = read.body.urls.published;
    await eventually(async () => (await fetch(address)).status === 200, 10_000);
    browser = await startBrowser();
  }, 120_000);
  afterAll(() => browser?.close());

  const page = (title: string, markdown: string) => ({
    ...{ operation: "insert_page", title },
    document: { markdown: `# ${title}\n\n${markdown}\n` },
  });

  test("pages have no errors, no requests to others, no cookies, and nothing that WCAG 2.2 AA refuses", async () => {
    for (const colorScheme of ["light", "dark"] as const)
      for (const path of ["", "blocks"]) {
        const { page, complaints, context } = await open(path, { colorScheme });
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag22aa"])
          .analyze();
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
        expect([path, colorScheme, found, complaints]).toEqual([
          path,
          colorScheme,
          [],
          { errors: [], foreign: [] },
        ]);
        expect(await context.cookies()).toEqual([]);
        await context.close();
      }
  }, 120_000);

  test("a narrow page does not scroll sideways", async () => {
    const { page, context } = await open("blocks", { viewport: { width: 320, height: 640 } });
    const [scroll, client] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });
    expect(scroll).toBeLessThanOrEqual(client!);
    await context.close();
  }, 60_000);

  test("search opens by a key, finds while typing, and leads to the heading", async () => {
    const { page, context } = await open();
    await page.keyboard.press("/");
    await page.keyboard.type("platyp");
    await page.waitForSelector("dialog.search [role=option]", { timeout: 20_000 });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#first-steps$/);
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog.search").evaluate((dialog) => (dialog as HTMLDialogElement).open)).toBe(
      false,
    );
    await context.close();
  }, 60_000);

  test("all can be read without JavaScript, and the search is a page", async () => {
    const { page, context } = await open("blocks", { javaScriptEnabled: false });
    await page.getByText("More").click();
    expect(await page.getByText("Hidden").isVisible()).toBe(true);
    await page.locator(".tabs > label").nth(1).click();
    expect(await page.locator(".tab").nth(1).isVisible()).toBe(true);
    await page.locator(".bar input[name=q]").fill("platypus");
    await page.keyboard.press("Enter");
    await page.waitForURL(/~octavo\/search\?q=platypus/);
    expect(await page.locator(".results a").count()).toBeGreaterThan(0);
    await context.close();
  }, 60_000);

  test("hostile texts run nowhere", async () => {
    const { page, complaints, context } = await open("hostile");
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    for (const link of await page.locator("main a").all())
      await link.hover({ timeout: 500 }).catch(() => undefined);
    expect([dialogs, complaints.foreign, page.url()]).toEqual([0, [], `${address}hostile`]);
    await context.close();
  }, 120_000);
}
