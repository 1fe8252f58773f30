import { type Check, eachOf, type Report, textAt } from "../check.js";
import { kindsThatDiffer } from "../drawn-kinds.js";
import { wordsMissing, wordsOfHtml, wordsOfMarkdown } from "../markdown-words.js";
import { pagesOf, plain, plainOf } from "../page-texts.js";
import { partOf, type Shared, sharedOf, wordsOf } from "../same-text.js";
import { type Node, nodesOf, type Site, type SourcePage } from "../site.js";

/** The least part of their words that two renderers have in common. */
const LEAST_SAME = 0.995;

/** Compares with what another renderer shows as well, where its addresses are given, in the order of the sites. */
export const complete = (elsewhere: readonly string[] = []): Check => ({
  name: "nothing lost: as many blocks of each kind as the source has, and every word of it and of its markdown",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      const texts = await pagesOf(site, fail);
      let words = 0;
      await eachOf(site.pages, async (page) => {
        const html = texts.get(page.url);
        if (html === undefined) return;
        const lost = await lostOf(site, page, html);
        words += lost.words;
        for (const what of lost.wrong) fail(`${page.url} ${what}`);
      });
      note(`${site.name}: ${words} words`);
    }
    for (const [index, address] of elsewhere.entries())
      if (sites[index]) await compare(sites[index], address, { fail, note });
  },
});

/** What a page lacks of its document and of its markdown, and how many words it should say. */
async function lostOf(
  { address }: Site,
  { path, document }: SourcePage,
  html: string,
): Promise<{ wrong: string[]; words: number }> {
  const main = /<main\b[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? "";
  const body = /<div class="text">([\s\S]*)$/.exec(main)?.[1] ?? "";
  const wrong = kindsThatDiffer(document, body).map((kind) => `has ${kind}`);
  const shown = plain(body);
  for (const { object, text = "" } of nodesOf(document, isVerbatim))
    if (object === "leaf" && !shown.includes(plainOf(text)))
      wrong.push(`does not say ${JSON.stringify(text.slice(0, 80))}`);
  const markdown = await textAt(`${address}${path.split("/").map(encodeURIComponent).join("/")}.md`);
  const words = wordsOfMarkdown(markdown);
  const missing = wordsMissing(words, wordsOfHtml(main.replace(/<nav\b.*?<\/nav>/gs, "")));
  if (missing.length > 0) wrong.push(`says less often than its markdown: ${missing.slice(0, 10).join(" ")}`);
  return { wrong, words: [...words.values()].reduce((sum, count) => sum + count, 0) };
}

/** Compares the words of all pages of a site with those that another renderer shows of the same source. */
async function compare(
  site: Site,
  address: string,
  { fail, note }: Pick<Report, "fail" | "note">,
): Promise<void> {
  const all: Shared = { both: 0, one: 0, other: 0 };
  const texts = await pagesOf(site, fail);
  // No more than two at a time: that one may be somebody else's.
  const together = 2;
  await eachOf(
    site.pages,
    async ({ url }) => {
      const there = new URL(url.slice(site.address.length), address).href;
      const response = await fetch(there);
      if (!response.ok) note(`${there} is ${response.status}`);
      const shared = sharedOf(wordsOf(texts.get(url) ?? ""), wordsOf(await response.text()));
      for (const of of ["both", "one", "other"] as const) all[of] += shared[of];
      if (partOf(shared) < LEAST_SAME) note(`${there} has ${percent(partOf(shared))} of the words in common`);
    },
    together,
  );
  const part = `${site.name} and ${address} have ${percent(partOf(all))} of their words in common`;
  note(part);
  if (partOf(all) < LEAST_SAME) fail(part);
}

const percent = (part: number): string => `${(part * 100).toFixed(2)} %`;

/** Source that the document has no form for is shown as its words, without tags: `laws.test.ts` of html holds that. */
const isVerbatim = ({ data, marks = [] }: Node): boolean =>
  data?.verbatim === true || marks.some((mark) => mark.data?.verbatim === true);
