import { eventually } from "../../../tests/harness/client.js";
import { askMcp } from "../../../tests/harness/mcp.js";
import { type Report, textAt } from "../check.js";
import type { Lab } from "../lab.js";
import { publishSectioned, type Sectioned } from "../sectioned.js";
import { listedIn } from "../sitemap.js";

/** Looks how programs find the pages of all sections and languages of a site, by what is at its address. */
export async function sectionsForMachines(lab: Lab, { fail }: Report): Promise<void> {
  const site = await publishSectioned(lab, "For machines");
  const listed = new Set((await listedIn(`${site.address}sitemap.xml`)).map(({ url }) => url));
  for (const { url } of site.parts.flatMap(({ pages }) => pages))
    if (!listed.has(url)) fail(`the sitemap of ${site.address} lacks ${url}`);
  const linked = await linkedFrom(`${site.address}llms.txt`);
  for (const { address, pages } of site.parts)
    for (const { path } of pages)
      if (!linked.has(`${address}${path}.md`)) fail(`llms.txt of ${site.address} lacks ${address}${path}.md`);
  for (const what of await foundByTools(site)) fail(`the tools of ${site.address}: ${what}`);
  for (const what of await badFeed(`${site.address}rss.xml`)) fail(what);
}

/** The links of a list for machines, and of those like it that it leads to. */
async function linkedFrom(list: string): Promise<Set<string>> {
  const linked = new Set<string>();
  // What is added to a set while it is read is read as well.
  const lists = new Set([list]);
  for (const one of lists)
    for (const [, link] of (await textAt(one)).matchAll(/\]\((http[^)]*)\)/g)) {
      linked.add(link!);
      if (link!.endsWith("/llms.txt")) lists.add(link!);
    }
  return linked;
}

/** What the tools of a site do not find, or do not read, of the sections that are not shown at its address. */
async function foundByTools({ address, parts }: Sectioned): Promise<string[]> {
  const use = async (name: string, given: object) =>
    JSON.stringify((await askMcp(address, "tools/call", { name, arguments: given }, true)).body?.result);
  const wrong: string[] = [];
  const [word, other] = ["numbat", parts.find(({ section }) => section !== parts[0]!.section)!];
  const search = async () =>
    (await use("search", { query: word }))?.match(/(?<=\]\()http[^)]*/g) ?? undefined;
  const found: string[] = await eventually(search, 10_000).catch(() => []);
  if (!found.some((url) => url.startsWith(other.address)))
    wrong.push(`a search for ${word} returns ${found.join(" and ") || "nothing"}`);
  for (const page of found) {
    const text = await use("get_page", { page });
    if (!text?.includes(word)) wrong.push(`get_page of ${page} returns ${text?.slice(0, 200)}`);
  }
  return wrong;
}

/** What is wrong with the feed of a page of updates. */
async function badFeed(url: string): Promise<string[]> {
  const feed = await textAt(url).catch(({ message }: Error) => message);
  return feed.includes("<item><title>Slower</title>")
    ? []
    : [`no feed of the home page: ${feed.slice(0, 200)}`];
}
