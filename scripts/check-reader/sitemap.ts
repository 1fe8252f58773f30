import { textAt } from "./check.js";

/** A page that a sitemap lists. */
export interface Listed {
  url: string;
  /** When it was changed last, where the sitemap says so. */
  changed?: string;
}

/** The pages that a sitemap lists, or those of all sitemaps that it is the index of. */
export async function listedIn(sitemap: string): Promise<Listed[]> {
  const text = await textAt(sitemap);
  if (!text.includes("<sitemapindex")) return entriesOf(text);
  const pages: Listed[] = [];
  for (const { url } of entriesOf(text)) pages.push(...entriesOf(await textAt(url)));
  return pages;
}

const entriesOf = (text: string): Listed[] =>
  [...text.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?/g)].map(([, url, changed]) => ({
    url: url!,
    ...(changed && { changed }),
  }));
