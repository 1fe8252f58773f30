import type { PageKey, SectionHit } from "../../search-index/page-parts.js";
import type { FoundPage } from "./find-pages.js";

/** A page that was found. */
export interface PageHit extends PageKey {
  /** Its sections that say why, best first; absent behind the pages that are compared by them. */
  sections?: SectionHit[];
}

/** The tier of titles that hold every word: the fewer others they hold, the better. */
const IN_TITLE = 1;
/** Sections that a page shows. */
const SHOWN = 5;

/**
 * Puts the first pages in order: within a tier those with the whole query as a phrase, then those that say most of it.
 * Those behind them, and equal ones, keep the order in which they were found.
 */
export function ranked(found: FoundPage[]): PageHit[] {
  const compared = found.flatMap(({ tier, space, page, sections }) => {
    if (!sections) return [];
    const best = chosen(sections);
    return { hit: { space, page, sections: best }, tier, ...weightOf(best) };
  });
  compared.sort(
    (a, b) =>
      a.tier - b.tier ||
      b.whole - a.whole ||
      b.terms - a.terms ||
      (a.tier === IN_TITLE ? a.length - b.length : 0) ||
      b.rank - a.rank,
  );
  const others = found.filter(({ sections }) => !sections);
  return [...compared.map(({ hit }) => hit), ...others.map(({ space, page }) => ({ space, page }))];
}

function weightOf(sections: SectionHit[]) {
  const [best, ...others] = sections;
  return {
    whole: sections.some(({ whole }) => whole) ? 1 : 0,
    terms: (best?.holds ?? []).filter((_, at) => sections.some(({ holds }) => holds[at])).length,
    length: sections.find(({ ordinal }) => ordinal === 0)?.title.length ?? 0,
    // A page with many sections on it is more about it than one that names it once.
    rank: (best?.rank ?? 0) + others.reduce((sum, { rank }) => sum + rank, 0) * 0.05,
  };
}

/** The sections that hold most of the terms, and those that hold what the ones before them do not. */
export function chosen(hits: SectionHit[]): SectionHit[] {
  const counted = hits.map((hit) => ({ hit, many: hit.holds.filter(Boolean).length }));
  counted.sort(
    (a, b) =>
      Number(b.hit.whole) - Number(a.hit.whole) ||
      b.many - a.many ||
      b.hit.rank - a.hit.rank ||
      a.hit.ordinal - b.hit.ordinal,
  );
  const most = Math.max(0, ...counted.map(({ many }) => many));
  const held = new Set<number>();
  const anchors = new Set<string | null>();
  const kept: SectionHit[] = [];
  for (const { hit, many } of counted) {
    const news = hit.holds.flatMap((holds, at) => (holds && !held.has(at) ? at : []));
    // Pieces of one long section are one result.
    if (kept.length === SHOWN || anchors.has(hit.anchor) || (many < most && news.length === 0)) continue;
    for (const at of news) held.add(at);
    anchors.add(hit.anchor);
    kept.push(hit);
  }
  return kept;
}
