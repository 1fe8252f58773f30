import { expect, test } from "vitest";
import { readAssets } from "../assets/assets.js";
import type { Site } from "../site/site.js";
import { spaceFrom } from "../site/space.js";
import { customization, page } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { type PrintedPage, printHtml } from "./print.js";

// Cast: what a print shows of a site, of all that it is.
const site = { title: "A site", words: wordsIn("en"), language: "en", customization } as unknown as Site;

/** Prints of pages with these texts; which of them were loaded so far. */
function createPrint(htmls: Record<string, string | undefined>, next?: string) {
  const pages = Object.keys(htmls).map((id) => page(id, `Title ${id}`));
  const entries = spaceFrom("k", { pages, files: [] }).order;
  const loaded: string[] = [];
  const texts = printHtml({
    site,
    assets: readAssets().below("/sites/"),
    title: "A site",
    next,
    entries: entries.map((entry) => ({ entry, href: `/sites/a/${entry.id}` })),
    load: async ({ id }) => {
      loaded.push(id);
      const html = htmls[id];
      // Cast: a page shows its icon and its description as well.
      return html === undefined ? undefined : ({ shown: {}, html } as unknown as PrintedPage);
    },
  });
  return { texts, loaded };
}

async function whole(texts: AsyncGenerator<string>): Promise<string> {
  let all = "";
  for await (const text of texts) all += text;
  return all;
}

test("a print is one document with its pages in their order, a list of them before and the next ones after", async () => {
  const { texts } = createPrint({ a: "<p>First</p>", b: "<p>Second</p>" }, "/sites/a/~octavo/print?from=2");
  const html = await whole(texts);
  const order = ["<!doctype html><html", 'href="#~page-1">Title a<', 'href="#~page-2">Title b<', "<article"];
  const places = [...order, "<p>First</p>", "<p>Second</p>", "print?from=2", "</main></body></html>"].map(
    (part) => html.indexOf(part),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(html).not.toContain("<slot");
});

test("a page is loaded when what comes before it was taken, and none for somebody who left", async () => {
  const { texts, loaded } = createPrint({ a: "<p>First</p>", b: "<p>Second</p>", c: "<p>Third</p>" });
  expect((await texts.next()).value).toContain("<p>First</p>");
  expect(loaded).toEqual(["a"]);
  await texts.next();
  await texts.return(undefined);
  expect(loaded).toEqual(["a", "b"]);
});

test("of a page that is gone its title is printed, which the list leads to", async () => {
  const html = await whole(createPrint({ a: "<p>First</p>", b: undefined }).texts);
  expect(html).toContain('<a href="#~page-2">Title b</a>');
  expect(html).toMatch(/<article id="~page-2"><div class="head"><h1>Title b<\/h1><\/div>/);
});

test("the script of diagrams is on prints that have one, once", async () => {
  const scripts = async (html: string) =>
    [...(await whole(createPrint({ a: html, b: html }).texts)).matchAll(/<script[^>]* src="[^"]*diagram/g)]
      .length;
  expect(await scripts('<figure class="diagram"></figure>')).toBe(1);
  expect(await scripts("<p>None</p>")).toBe(0);
});
