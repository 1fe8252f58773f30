import type { Browser, Frame, Page } from "playwright-core";
import { eventually } from "../../../tests/harness/client.js";
import { type Report, visit } from "../check.js";
import type { Lab } from "../lab.js";
import { publishPages } from "../site.js";

const VIDEO = "abcdefghijk";
const PLAYER = "https://www.youtube-nocookie.com/**";
const SECRET = "secret-of-a-visitor";
const fence = "```";

/** A diagram and a film, which have frames, and what has none: an integration's block and a frame in HTML. */
const FRAMED = [
  `{% embed url="https://www.youtube.com/watch?v=${VIDEO}" %}`,
  `${fence}mermaid\ngraph LR\n  Start --> Finish\n${fence}`,
  '{% @vendor/webframe url="https://frames.example/one" %}',
  '<iframe src="https://frames.example/two"></iframe>',
].join("\n\n");

/** What runs in a frame of a page sees no cookie of the site, reads nothing of the page, and leads it nowhere. */
export async function framesSeeNothing(lab: Lab, browser: Browser, { fail, note }: Report): Promise<void> {
  const { address, id, pages } = await publishPages(lab, "Frames", [{ title: "Framed", markdown: FRAMED }]);
  const { url } = pages.at(-1)!;
  await visit(browser, url, async (page) => {
    await page.context().addCookies([{ name: "visitor", value: SECRET, url: address }]);
    const asked: Record<string, string>[] = [];
    await page.route(PLAYER, async (route) => {
      asked.push(await route.request().allHeaders());
      await route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A film</title>" });
    });
    await page.reload();
    await page.locator(".diagram.drawn").waitFor({ timeout: 60_000 });
    const drawn = page
      .frames()
      .slice(1)
      .map((frame) => frame.url());
    if (drawn.length !== 1) fail(`${url} has other frames than that of the diagram: ${drawn}`);
    await page.locator("[data-embed]").click();
    await page.waitForFunction("document.querySelector('iframe.player')");
    await eventually(async () => page.frames().some((frame) => frame.url().includes(VIDEO)), 10_000);
    for (const frame of page.frames().slice(1))
      for (const what of await openTo(frame, page)) fail(`the frame of ${frame.url()} ${what}`);
    if (page.url() !== url) fail(`a frame of ${url} led it to ${page.url()}`);
    for (const { cookie = "", referer = "" } of asked) {
      if (cookie.includes(SECRET)) fail("who plays films is sent the cookies of the site");
      if (referer.includes(id)) fail(`who plays films is told the page: ${referer}`);
    }
    note(`${page.frames().length - 1} frames see nothing of the page around them`);
  });
}

/** What is tried in a frame, each of which is refused, or says nothing. */
const TRIED: Record<string, string> = {
  "sees a cookie": "document.cookie",
  "reads the page": "parent.document.documentElement.outerHTML",
  "reads the address of the page": "parent.location.href",
  "reads what the page has stored": "JSON.stringify({ ...parent.localStorage })",
  "leads the page elsewhere": "(top.location.href = 'https://evil.example/')",
};

async function openTo(frame: Frame, page: Page): Promise<string[]> {
  const open: string[] = [];
  for (const [what, script] of Object.entries(TRIED)) {
    const seen = await frame.evaluate(`(() => { try { return String(${script}); } catch { return ""; } })()`);
    if (seen !== "") open.push(`${what}: ${String(seen).slice(0, 80)}`);
  }
  const reached = await frame.evaluate(
    `Promise.race([
      fetch(${JSON.stringify(page.url())}, { credentials: "include" }).then((got) => got.text(), () => ""),
      new Promise((done) => setTimeout(done, 2_000, "")),
    ])`,
  );
  return reached === "" ? open : [...open, "reads the site with the visitor's cookies"];
}
