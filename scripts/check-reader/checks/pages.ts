import { type Element, elementsOf } from "@octavo/html/testing/structure";
import { eventually } from "../../../tests/harness/client.js";
import { type Check, eachOf, type Report, textAt } from "../check.js";
import type { Lab } from "../lab.js";
import { partOf, type Shared, sharedOf, wordsOf } from "../same-text.js";
import { type Node, nodesOf, type Site } from "../site.js";
import { lostIn } from "../source.js";

const named = (elements: Element[], name: string) => elements.filter((one) => one.name === name);
const hasClass = ({ attrs }: Element, name: string) => attrs.class?.split(" ").includes(name) === true;

/** The texts of all pages of a site, by their addresses: each is fetched once by all checks. */
const fetched = new WeakMap<Site, Promise<Map<string, string>>>();

export function pagesOf(site: Site, fail: (what: string) => void): Promise<Map<string, string>> {
  const known = fetched.get(site);
  if (known) return known;
  const asked = (async () => {
    const texts = new Map<string, string>();
    await eachOf(site.pages, async ({ url }) => {
      const response = await fetch(url, { redirect: "manual" });
      if (response.status === 200) texts.set(url, await response.text());
      else fail(`${url} is ${response.status}`);
    });
    return texts;
  })();
  fetched.set(site, asked);
  return asked;
}

/** The addresses of the site that a page leads to, without anchors. */
function linksIn(site: Site, url: string, elements: Element[]): string[] {
  return named(elements, "a").flatMap(({ attrs: { href = "" } }) => {
    if (href === "" || href.startsWith("#")) return [];
    const to = new URL(href, url);
    to.hash = "";
    return to.href.startsWith(site.address) ? [to.href] : [];
  });
}

export const whole: Check = {
  number: 1,
  name: "whole: every page is there with one title of its own, and every link within the site leads somewhere",
  async run({ sites, lab }, { fail, note }) {
    for (const site of [...sites, lab]) {
      const listed = [...(await textAt(`${site.address}sitemap.xml`)).matchAll(/<loc>([^<]*)</g)];
      if (listed.length !== site.pages.length)
        fail(`${site.name}: the sitemap lists ${listed.length} of ${site.pages.length} pages`);
      const texts = await pagesOf(site, fail);
      const [links, titles] = [new Map<string, string>(), new Set<string>()];
      let lost = 0;
      for (const page of site.pages) {
        const { url } = page;
        const html = texts.get(url);
        if (html === undefined) continue;
        const elements = elementsOf(html);
        if (named(elements, "h1").length !== 1) fail(`${url} has ${named(elements, "h1").length} h1`);
        const title = /<title>([^<]*)</.exec(html)?.[1] ?? "";
        if (!plain(title).startsWith(plainOf(page.title))) fail(`${url} has the title ${title}`);
        titles.add(title);
        const leadNowhere = elements.filter((one) => hasClass(one, "lost")).length;
        lost += leadNowhere;
        const inSource = page.file === undefined ? [] : lostIn(site, page.file);
        if (site.folder !== undefined && leadNowhere !== inSource.length)
          fail(`${url}: ${leadNowhere} links lead nowhere, by ${page.file} those to ${inSource}`);
        for (const link of linksIn(site, url, elements)) links.set(link, url);
        const ids = new Set(elements.flatMap(({ attrs }) => attrs.id ?? []));
        for (const { attrs } of named(elements, "a"))
          if (attrs.href?.startsWith("#~") && !ids.has(attrs.href.slice(1)))
            fail(`${url}: nothing has the anchor ${attrs.href}`);
      }
      const others = [...links].filter(([link]) => !texts.has(link));
      await eachOf(others, async ([link, from]) => {
        const { status, headers, body } = await fetch(link, { redirect: "manual" });
        await body?.cancel();
        if (status >= 400) fail(`${from} leads to ${link}, which is ${status}`);
        if (status >= 300) fail(`${from} leads to ${link}, which leads to ${headers.get("location")}`);
      });
      note(
        `${site.name}: ${texts.size} pages, ${titles.size} titles, ${links.size} addresses, ${lost} references lead nowhere`,
      );
    }
  },
};

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

export const plainOf = (text: string): string => text.replace(/\s+/g, "");
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
/** The words of HTML without white space, as a reader sees them. */
export const plain = (html: string): string =>
  plainOf(
    html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!),
  );

export const addresses: Check = {
  number: 13,
  name: "addresses: other spellings lead to a page in one hop, unknown ones to 404 with suggestions",
  async run({ sites, lab }, { fail }) {
    for (const site of [...sites, lab])
      for (const { url, path } of site.pages.slice(1, 40)) {
        const spellings = [`${url}/`, `${url}.html`, `${url}/README`];
        const upper = site.address + path.toUpperCase().split("/").map(encodeURIComponent).join("/");
        if (upper !== url) spellings.push(upper);
        for (const spelling of spellings) {
          const { status, headers } = await fetch(`${spelling}?a=b`, { redirect: "manual" });
          const to = new URL(headers.get("location") ?? "", url).href;
          if (status !== 308 || to !== `${url}?a=b`) fail(`${spelling} is ${status} to ${to}`);
        }
      }
    for (const site of [...sites, lab]) {
      const page = site.pages.at(-1)!;
      const lost = `${site.address}nowhere/${page.path.split("/").at(-1)}-lost`;
      const response = await fetch(lost, { redirect: "manual" });
      const html = await response.text();
      if (response.status !== 404) fail(`${lost} is ${response.status}`);
      if (!/<meta name="robots" content="noindex"/.test(html)) fail(`${lost} may be listed`);
      await suggests(site, lost, html, fail);
    }
    await leadsOn(lab, fail);
  },
};

/** A page that is not found names exactly three others, the one that was meant among them, and all of them are there. */
async function suggests(
  { address, pages }: Site,
  lost: string,
  html: string,
  fail: (what: string) => void,
): Promise<void> {
  const links = elementsOf(html).filter((one) => one.name === "a" && hasClass(one, "card-link"));
  const named = links.map(({ attrs }) => new URL(attrs.href ?? "", address).href);
  if (new Set(named).size !== MOST_SUGGESTED || named.length !== MOST_SUGGESTED)
    fail(`${lost} suggests ${named.length} pages: ${named}`);
  const meant = pages.at(-1)!;
  const alike = pages.filter(({ title }) => title === meant.title).map(({ url }) => url);
  if (!named.some((url) => alike.includes(url))) fail(`${lost} does not suggest ${meant.url}: ${named}`);
  for (const url of named)
    await textAt(url).catch(({ message }: Error) => fail(`${lost} suggests: ${message}`));
}
const MOST_SUGGESTED = 3;

/** Addresses for which the site has redirects lead on, in one hop and with their query. */
async function leadsOn(
  { make, organization, id, address }: Lab,
  fail: (what: string) => void,
): Promise<void> {
  const destination = { kind: "path", path: "/blocks" };
  for (const source of ["/old/blocks", "/older/*"])
    await make("POST", `/orgs/${organization}/sites/${id}/redirects`, { source, destination });
  for (const from of ["old/blocks", "Old/Blocks/", "older/one/two"]) {
    const leads = async () => {
      const { status, headers } = await fetch(`${address}${from}?a=b`, { redirect: "manual" });
      return status === 308 && new URL(headers.get("location")!, address).href === `${address}blocks?a=b`;
    };
    await eventually(leads, 5_000).catch(() => fail(`${address}${from} does not lead to blocks`));
  }
}
