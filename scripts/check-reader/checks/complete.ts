import { type Element, elementsOf } from "@octavo/html/testing/structure";
import { type Check, eachOf, type Report } from "../check.js";
import { hasClass, pagesOf, plain, plainOf } from "../page-texts.js";
import { partOf, type Shared, sharedOf, wordsOf } from "../same-text.js";
import { type Node, nodesOf, type Site } from "../site.js";

/** What a block is in HTML, where one block is one element. */
const DRAWN: Record<string, (one: Element) => boolean> = {
  hint: (one) => hasClass(one, "hint"),
  tabs: (one) => hasClass(one, "tabs"),
  "tabs-item": (one) => hasClass(one, "tab"),
  stepper: (one) => hasClass(one, "steps"),
  expandable: ({ name, attrs }) => name === "details" && attrs.class === undefined,
  code: (one) => one.name === "figure" && (hasClass(one, "code") || hasClass(one, "diagram")),
  table: (one) => one.name === "table" || hasClass(one, "cards"),
  images: (one) => hasClass(one, "images"),
  embed: (one) => hasClass(one, "embed"),
  file: (one) => hasClass(one, "file"),
};

/** The least part of their words that two renderers have in common. */
const LEAST_SAME = 0.995;

/** Compares with what another renderer shows as well, where its addresses are given, in the order of the sites. */
export const complete = (elsewhere: readonly string[] = []): Check => ({
  number: 2,
  name: "nothing lost: as many blocks of each kind as the source has, and every word of it",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      const texts = await pagesOf(site, fail);
      let words = 0;
      for (const { url, document } of site.pages) {
        const html = texts.get(url);
        if (html === undefined) continue;
        const main = /<div class="text">([\s\S]*)<\/main>/.exec(html)?.[1] ?? "";
        const elements = elementsOf(main);
        const counts = new Map<string, number>();
        for (const node of nodesOf(document))
          if (node.object === "block" && node.data?.verbatim !== true)
            counts.set(node.type!, (counts.get(node.type!) ?? 0) + 1);
        const api = (counts.get("openapi-operation") ?? 0) + (counts.get("swagger") ?? 0);
        if (api === 0)
          for (const [type, is] of Object.entries(DRAWN)) {
            const drawn = elements.filter(is).length;
            if (drawn !== (counts.get(type) ?? 0))
              fail(`${url} has ${counts.get(type) ?? 0} × ${type}, of which ${drawn} are drawn`);
          }
        const shown = plain(main);
        for (const node of nodesOf(document, isVerbatim)) {
          const text = node.object === "leaf" ? plainOf(node.text ?? "") : "";
          if (text === "") continue;
          words += 1;
          if (!shown.includes(text)) fail(`${url} does not say ${JSON.stringify(text.slice(0, 80))}`);
        }
      }
      note(`${site.name}: ${words} texts`);
    }
    for (const [index, address] of elsewhere.entries())
      if (sites[index]) await compare(sites[index], address, { fail, note });
  },
});

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
