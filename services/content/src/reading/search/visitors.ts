import type { Section } from "@octavo/markdown/source/sections";
import { withoutHidden } from "@octavo/markdown/text/hidden-text";
import { type ShownLine, shownLines, textShown } from "../../pages/shown-lines.js";
import type { PageKey, SectionHit } from "../../search-index/page-parts.js";
import type { Ctx } from "../../trpc.js";
import type { Result } from "./find.js";
import { holdsPhrase, holdsTerm, type Words, wordsOf } from "./held.js";
import type { Query } from "./query.js";
import { chosen, type PageHit } from "./rank.js";

// The index holds all that is written. What a visitor of a site finds is decided by what this visitor is shown, and by
// nothing else: no page is found, counted or cut out for a word that is for others.

/** Pages of a visitor's search: of so many it is looked up what they show. */
const MOST_PAGES = 60;

/** Returns what of a search a visitor is shown; what others find stays as it is. */
export async function asShown(ctx: Ctx, result: Result): Promise<Result> {
  if (ctx.caller.kind !== "reader") return result;
  const hits = result.pages.slice(0, MOST_PAGES);
  const shownLine = await shownLines(ctx, hits);
  const pages: PageHit[] = [];
  for (const hit of hits) {
    const shown = shownLine(hit);
    const seen = shown && (await hitAsShown(ctx, result.query, hit, shown));
    if (seen) pages.push(seen);
  }
  const redacted = (key: PageKey) =>
    shownLine(key)?.line.map((one) => ({ ...one, title: withoutHidden(one.title) || "Untitled" }));
  return { ...result, pages, total: pages.length, redacted };
}

/** A page that was found, with what is shown of it; undefined when nothing that is shown of it was asked for. */
async function hitAsShown(
  ctx: Ctx,
  { terms, phrases }: Query,
  hit: PageHit,
  { line: [page], inputs }: ShownLine,
): Promise<PageHit | undefined> {
  const { description = "" } = page.props;
  const [title, about] = [withoutHidden(page.title) || "Untitled", withoutHidden(description)];
  if (!page.mayHide && title === page.title && about === description) return hit;
  const text = await textShown(ctx, page.markdown ?? "", { title, inputs });
  if (text === undefined) return undefined;
  const [first, ...others] = await ctx.work.run("sections", text);
  const sections: Section[] = [{ title, text: [about, first?.text ?? ""].join("\n") }, ...others];
  const words = sections.map((section) => wordsOf(section.title, section.text));
  const all = [...words, wordsOf(page.slug ?? "", "")];
  if (!terms.every((term) => all.some((one) => holdsTerm(one, term)))) return undefined;
  if (!phrases.every((phrase) => words.some((one) => holdsPhrase(one, phrase)))) return undefined;
  return { ...hit, sections: chosen(hitsIn(sections, words, terms)) };
}

/** Sections that hold some of the terms, as the index would name them; their texts come along. */
const hitsIn = (sections: Section[], words: Words[], terms: Query["terms"]): SectionHit[] =>
  sections.flatMap(({ anchor = null, title, text }, ordinal) => {
    const holds = terms.map((term) => holdsTerm(words[ordinal]!, term));
    const rank = holds.filter(Boolean).length;
    return rank === 0 ? [] : [{ ordinal, anchor, title, body: text, rank, holds, whole: false }];
  });
