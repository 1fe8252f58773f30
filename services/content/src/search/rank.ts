import type { Ctx } from "../trpc.js";
import { grouped } from "./grouped.js";
import { findSections, keyOf, type PageKey, type SectionHit } from "./queries.js";
import type { Query } from "./query.js";
import { anyInSection, phraseInSection, termInSection } from "./tsquery.js";

/** A page that was found, with its sections that say why, best first. */
export interface PageHit extends PageKey {
  tier: number;
  sections: SectionHit[];
}

/** So many of the first pages are compared by what they say. Those behind them keep the order of their tiers. */
const COMPARED = 60;
/** The tier of titles that hold every word: the fewer others they hold, the better. */
const IN_TITLE = 1;
/** Sections that a page shows. */
const SHOWN = 5;

/** Puts the first pages in order: within a tier those with the whole query as a phrase, then those that say most of it. */
export async function ranked(ctx: Ctx, query: Query, pages: PageHit[]): Promise<PageHit[]> {
  const first = await withSections(ctx, query, pages.slice(0, COMPARED));
  const order = first.map((page) => ({ page, ...weightOf(page) }));
  order.sort(
    (a, b) =>
      a.page.tier - b.page.tier ||
      b.whole - a.whole ||
      b.terms - a.terms ||
      (a.page.tier === IN_TITLE ? a.length - b.length : 0) ||
      b.rank - a.rank ||
      (keyOf(a.page) < keyOf(b.page) ? -1 : 1),
  );
  return [...order.map(({ page }) => page), ...pages.slice(COMPARED)];
}

function weightOf({ sections }: PageHit) {
  const [best] = sections;
  return {
    whole: sections.some(({ whole }) => whole) ? 1 : 0,
    terms: coverage(sections),
    length: sections.find(({ ordinal }) => ordinal === 0)?.title.length ?? 0,
    // A page with many sections on it is more about it than one that names it once.
    rank: (best?.rank ?? 0) + sections.slice(1).reduce((sum, { rank }) => sum + rank, 0) * 0.05,
  };
}

const coverage = (sections: SectionHit[]) =>
  (sections[0]?.holds ?? []).filter((_, at) => sections.some(({ holds }) => holds[at])).length;

/** The pages with the sections that say why they were found; those that have them keep theirs. */
export async function withSections(ctx: Ctx, query: Query, pages: PageHit[]): Promise<PageHit[]> {
  const bare = pages.filter(({ sections }) => sections.length === 0);
  const hits = await findSections(ctx, bare, {
    any: anyInSection(query.terms),
    terms: query.terms.map(termInSection),
    ...(query.whole && { whole: phraseInSection(query.whole) }),
  });
  const byPage = grouped(hits, keyOf);
  return pages.map((page) =>
    page.sections.length > 0 ? page : { ...page, sections: chosen(byPage.get(keyOf(page)) ?? []) },
  );
}

/** The sections that hold most of the terms, and those that hold what the ones before them do not. */
function chosen(hits: SectionHit[]): SectionHit[] {
  const many = ({ holds }: SectionHit) => holds.filter(Boolean).length;
  const sorted = hits.toSorted(
    (a, b) =>
      Number(b.whole) - Number(a.whole) || many(b) - many(a) || b.rank - a.rank || a.ordinal - b.ordinal,
  );
  const most = Math.max(0, ...sorted.map(many));
  const held = new Set<number>();
  const anchors = new Set<string | null>();
  const kept: SectionHit[] = [];
  for (const hit of sorted) {
    const news = hit.holds.flatMap((holds, at) => (holds && !held.has(at) ? at : []));
    // Pieces of one long section are one result.
    if (kept.length === SHOWN || anchors.has(hit.anchor) || (many(hit) < most && news.length === 0)) continue;
    for (const at of news) held.add(at);
    anchors.add(hit.anchor);
    kept.push(hit);
  }
  return kept;
}
