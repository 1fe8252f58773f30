import type { Element } from "@octavo/html/testing/structure";
import { eachOf } from "./check.js";
import type { Site } from "./site.js";

const fetched = new WeakMap<Site, Promise<Map<string, string>>>();

/** The texts of all pages of a site, by their addresses: each is fetched once by all checks. */
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

/** The page of all sites together that has the most HTML, and how many characters of it. */
export async function longestPage(sites: Site[], fail: (what: string) => void) {
  const pages: { url: string; size: number }[] = [];
  for (const site of sites)
    for (const [url, html] of await pagesOf(site, fail)) pages.push({ url, size: html.length });
  return pages.toSorted((one, other) => other.size - one.size)[0]!;
}

/** The elements of a name. */
export const named = (elements: Element[], name: string) => elements.filter((one) => one.name === name);
/** Whether an element has a class. */
export const hasClass = ({ attrs }: Element, name: string) => attrs.class?.split(" ").includes(name) === true;

/** A text without white space, as `plain` has it. */
export const plainOf = (text: string): string => text.replace(/\s+/g, "");
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
/** The words of HTML without white space, as a reader sees them. */
export const plain = (html: string): string =>
  plainOf(
    html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!),
  );
