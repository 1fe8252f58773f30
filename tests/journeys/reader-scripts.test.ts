import { PLAIN_PAGE } from "@octavo/html/page";
import { renderHtml } from "@octavo/html/render";
import type { Scope } from "@octavo/html/scope";
import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { diagram as drawDiagram } from "../../packages/html/src/code/diagram.js";
import { feedbackForm, feedbackThanks } from "../../reader/src/frame/feedback-form.js";
import { sidebar, sidebarBelow } from "../../reader/src/frame/sidebar.js";
import { spaceFrom } from "../../reader/src/site/space.js";
import { page } from "../../reader/src/testing.js";
import { browserPath, startBrowser } from "../harness/browser.js";
import { openPage, pageWith, plainSite, printOf } from "../harness/reader-pages.js";

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

inBrowser("a player is told the origin of the site that shows it, and others are told nothing", async () => {
  const player = "https://www.youtube-nocookie.com/embed/aaaaaaaaaaa";
  const referrers: Record<string, string | undefined> = {};
  const noted = (name: string) => async (route: Route) => {
    referrers[name] = (await route.request().allHeaders()).referer;
    return "<p>Playing</p>";
  };
  const body = `<a href="https://youtu.be/aaaaaaaaaaa" data-embed="${player}">Film</a><a href="https://other.test/">Other</a>`;
  const pages = {
    "/a/page": pageWith({ body }),
    [player]: noted("player"),
    "https://other.test/": noted("link"),
  };
  const { page, context } = await openPage(browser, { path: "/a/page", pages });
  await page.locator("[data-embed]").click();
  await page.frameLocator("iframe.player").locator("p").waitFor({ state: "attached" });
  await page.locator("a", { hasText: "Other" }).click();
  await page.waitForURL("https://other.test/");
  expect(referrers).toEqual({ player: "https://docs.test/", link: undefined });
  await context.close();
});

inBrowser("a response to a page is confirmed where the focus is, and a failure is told", async () => {
  const action = "/~octavo/feedback";
  const thanks = feedbackThanks({ action, page: "p", rating: "good", commented: false, words });
  let status = 503;
  const pages = {
    "/": pageWith({ body: renderHtml(feedbackForm(action, "p", words)) }),
    [action]: () => ({ status, text: status === 200 ? pageWith({ body: renderHtml(thanks) }) : "" }),
  };
  const { page, context } = await openPage(browser, { pages });
  // Live regions are read out when their text changes while they are there, not when they come with it.
  await page.evaluate(`
    globalThis.region = document.querySelector("[data-feedback] [role=status]");
    globalThis.said = [];
    new MutationObserver(() => region.isConnected && region.textContent && said.push(region.textContent))
      .observe(region, { childList: true, characterData: true, subtree: true });
  `);
  const region = page.locator("[data-feedback] [role=status]");
  await page.locator(`button[value=good]`).focus();
  await page.keyboard.press("Enter");
  await region.filter({ hasText: words.failed }).waitFor();
  expect(await page.locator(`button[value=good]`).evaluate("document.activeElement.value")).toBe("good");
  status = 200;
  await page.keyboard.press("Enter");
  await region.filter({ hasText: words.thanks }).waitFor();
  expect(await page.evaluate("document.activeElement === region")).toBe(true);
  expect(await page.evaluate("said")).toEqual([words.failed, words.thanks]);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.name")).toBe("comment");
  await context.close();
});

inBrowser("a response to a page is sent once, however often its button is pressed meanwhile", async () => {
  const action = "/~octavo/feedback";
  const thanks = feedbackThanks({ action, page: "p", rating: "good", commented: false, words });
  let sent = 0;
  const pages = {
    "/": pageWith({ body: renderHtml(feedbackForm(action, "p", words)) }),
    [action]: () => {
      sent += 1;
      return pageWith({ body: renderHtml(thanks) });
    },
  };
  const { page, context } = await openPage(browser, { pages });
  await page.evaluate(
    `for (let press = 0; press < 2; press += 1) document.querySelector("[value=good]").click()`,
  );
  await page.locator("[data-feedback] [role=status]").filter({ hasText: words.thanks }).waitFor();
  expect(sent).toBe(1);
  expect(await page.locator("[data-feedback]").getAttribute("aria-busy")).toBeNull();
  await context.close();
});

const diagram = (text: string) => renderHtml(drawDiagram(text, { page: PLAIN_PAGE } as Scope));
const FAR = "<p>A line.</p>".repeat(200);

inBrowser("a print waits for its diagrams, wherever they are, and for none that is broken", async () => {
  const tabs = (inner: string) =>
    `<div class="tabs"><input type="radio" checked><label>A</label><div class="tab">A</div><input type="radio"><label>B</label><div class="tab">${inner}</div></div>`;
  const text = FAR + diagram("graph LR\n  A --> B") + tabs(diagram("graph LR\n  C --> D"));
  const texts = [text, FAR + diagram("no diagram (("), diagram('pie\n  "a": 1')];
  const { page, context, errors } = await openPage(browser, { pages: { "/": await printOf(texts) } });
  await page.evaluate(`
    globalThis.print = () => { globalThis.printed = document.querySelectorAll(".diagram.drawn > iframe").length; }
  `);
  await page.locator("[data-print]").click();
  await expect.poll(() => page.evaluate("globalThis.printed")).toBe(3);
  expect(await page.locator(".diagram.broken > pre").count()).toBe(1);
  expect(errors).toEqual([]);
  await context.close();
});

inBrowser(
  "an image that is shown smaller than it is opens as large as the window, by pointer and keyboard",
  async () => {
    const image = (width: number, alt: string) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="300"/>`;
      return `<div class="images"><figure><img alt="${alt}" src="data:image/svg+xml,${encodeURIComponent(svg)}"></figure></div>`;
    };
    const body = `<div class="text">${image(3_000, "Large")}${image(300, "Small")}${image(3_000, "")}</div>`;
    const pages = { "/": pageWith({ body }) };
    const { page, context, errors } = await openPage(browser, { pages });
    const [large, small, nameless] = ["Large", "Small", ""].map((alt) =>
      page.locator(`main img[alt="${alt}"]`),
    );
    await large!.click();
    const dialog = page.locator("dialog.large-image[open]");
    await dialog.waitFor();
    expect(await dialog.getAttribute("aria-label")).toBe("Large");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.alt")).toBe("Large");
    await page.keyboard.press("Enter");
    await dialog.click();
    await dialog.waitFor({ state: "detached" });
    expect([await small!.getAttribute("role"), await nameless!.getAttribute("role")]).toEqual([
      null,
      "button",
    ]);
    expect(await nameless!.getAttribute("aria-label")).toBe(words.enlarge);
    expect(errors).toEqual([]);
    await context.close();
  },
);

inBrowser("frames of diagrams that are closed or broken leave nothing behind", async () => {
  const body = `<div class="text">${diagram("graph LR\n  A --> B")}${diagram("no diagram ((")}</div>`;
  const pages = { "/": pageWith({ body, files: ["diagram.js"] }) };
  const { page, context, errors } = await openPage(browser, { pages });
  await page.locator(".diagram.drawn").waitFor();
  await page.locator(".diagram.broken").waitFor();
  // Each frame that is open hears of another theme, and is told of it.
  const told = () =>
    page.evaluate(`(() => {
      let count = 0;
      const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentWindow");
      Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", {
        configurable: true,
        get() { count += 1; return get.call(this); },
      });
      document.documentElement.dataset.theme = Math.random();
      return new Promise((resolve) => setTimeout(resolve)).then(() => {
        Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", { configurable: true, get });
        return count;
      });
    })()`);
  expect(await told()).toBe(1);
  await page.locator(".diagram.drawn .enlarge").click();
  await page.locator("dialog.large-diagram[open] iframe").waitFor();
  await expect.poll(told).toBe(2);
  await page.keyboard.press("Escape");
  await page.locator("dialog.large-diagram").waitFor({ state: "detached" });
  await expect.poll(told).toBe(1);
  expect(errors).toEqual([]);
  await context.close();
});

inBrowser("printing a page draws what nobody has seen of it", async () => {
  const body = `<div class="text">${FAR}${diagram("graph LR\n  A --> B")}</div>`;
  const pages = { "/": pageWith({ body, files: ["diagram.js"] }) };
  const { page, context } = await openPage(browser, { pages });
  await page.waitForLoadState("load");
  expect(await page.locator(".diagram iframe").count()).toBe(0);
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  expect(await page.locator(".diagram iframe").count()).toBe(1);
  await context.close();
});

inBrowser(
  "branches of the sidebar open in their place, also in large spaces, and stay open from page to page",
  async () => {
    const deep = page("guide/first", "First", [page("guide/first/deep", "Deep")]);
    const others = Array.from({ length: 450 }, (_, at) => page(`p${at}`, `Page ${at}`));
    const guide = page("guide", "Guide", [deep, page("guide/second", "Second")]);
    const space = spaceFrom("k", { pages: [page("home", "Home"), guide, ...others], files: [] });
    const given = { space, site: plainSite, base: "/", links: PLAIN_PAGE };
    const at = (id: string) =>
      pageWith({ body: id, sidebar: renderHtml(sidebar({ ...given, current: space.byId.get(id) })) });
    let status = 200;
    const contents = (route: Route) => {
      const paths = new URL(route.request().url()).searchParams.getAll("page");
      return { status, text: paths.map((path) => sidebarBelow(given, space.byPath.get(path))).join("") };
    };
    const pages = { "/": at("home"), "/guide": at("guide"), "/p3": at("p3"), "/~octavo/contents": contents };
    const { page: tab, context, errors } = await openPage(browser, { pages });
    const button = (name: string) => tab.getByRole("button", { name, exact: true });
    const link = (name: string) => tab.locator(".side a", { hasText: name });
    expect(await button("Guide").getAttribute("aria-expanded")).toBe("false");
    await button("Guide").focus();
    await tab.keyboard.press("Enter");
    await button("First").click();
    await link("Deep").waitFor();
    expect(await button("Guide").getAttribute("aria-expanded")).toBe("true");
    const before = tab.url();
    await tab.locator(".side a[href='/p3']").click();
    await tab.waitForURL("**/p3");
    await link("Deep").waitFor();
    expect(before).toBe("https://docs.test/");
    await button("First").click();
    expect(await link("Deep").isVisible()).toBe(false);
    await tab.locator(".side a[href='/']").click();
    await link("Second").waitFor();
    await expect.poll(() => button("First").getAttribute("aria-expanded")).toBe("false");
    await button("Guide").click();
    await tab.locator(".side a[href='/p3']").click();
    await tab.waitForURL("**/p3");
    expect(await button("Guide").getAttribute("aria-expanded")).toBe("false");
    // Where nothing can be fetched, the page of the branch shows it.
    await tab.evaluate("sessionStorage.clear(); addEventListener('pagehide', () => sessionStorage.clear())");
    status = 503;
    await tab.reload();
    await button("Guide").click();
    await tab.waitForURL("**/guide");
    await link("Second").waitFor();
    expect(await button("Guide").getAttribute("aria-expanded")).toBe("true");
    expect(errors).toEqual([]);
    await context.close();
  },
);
