import { isMet } from "@octavo/markdown/expression/evaluate";
import { refuse } from "@octavo/shared/errors";
import { sizesOf } from "../../store/bodies.js";
import type { PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { Edition } from "./address.js";

/** Pages of a PDF, and characters of their texts: about twenty seconds of work. */
export const MOST_PAGES = 1_000;
export const MOST_BYTES = 4 * 1024 * 1024;

/** A page of a PDF, and how deep it lies in it. */
export interface Chosen {
  entry: PageEntry;
  depth: number;
}

/**
 * The pages that an edition holds, each behind the one that it lies below; undefined when it has not the one that is asked
 * for. Hidden pages are left out with what is below them, unless one is asked for itself.
 */
export function chosen(pages: PageEntry[], { page, only }: Omit<Edition, "space" | "revision">) {
  const below = new Map<string | null, PageEntry[]>();
  for (const entry of pages) {
    const siblings = below.get(entry.parent);
    if (siblings) siblings.push(entry);
    else below.set(entry.parent, [entry]);
  }
  const first = page === undefined ? (below.get(null) ?? []) : pages.filter(({ id }) => id === page);
  if (page !== undefined && first.length === 0) return undefined;
  const found: Chosen[] = [];
  const open = first.map((entry) => ({ entry, depth: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.entry.props.hidden && next.entry.id !== page) continue;
    found.push(next);
    if (only) continue;
    const { depth } = next;
    for (const entry of [...(below.get(next.entry.id) ?? [])].reverse())
      open.push({ entry, depth: depth + 1 });
  }
  return found;
}

/** Work that the conditions of all pages may do. */
const STEPS = 1_000_000;

/** The pages without those, and what is below them, whose conditions a visitor who claims nothing does not meet. */
export function shownToAll(pages: Chosen[], space: { vars: Record<string, unknown> }): Chosen[] {
  const budget = { steps: STEPS };
  const left: Chosen[] = [];
  let hidden: number | undefined;
  for (const one of pages) {
    if (hidden !== undefined && one.depth > hidden) continue;
    const { condition, variables: vars = {} } = one.entry.props;
    const isShown =
      !condition || isMet(condition, { space, page: { vars }, visitor: { claims: {} } }, budget);
    hidden = isShown ? undefined : one.depth;
    if (isShown) left.push(one);
  }
  return left;
}

/** Refuses 413 for more pages, or longer texts, than a PDF is made of. */
export async function refuseTooMuch(ctx: Ctx, space: string, pages: Chosen[]): Promise<void> {
  if (pages.length > MOST_PAGES) tooMuch(`more than ${MOST_PAGES} pages`);
  const sizes = await sizesOf(
    ctx,
    space,
    pages.map(({ entry }) => entry.body),
  );
  if (sizes.reduce((sum, size) => sum + size, 0) > MOST_BYTES)
    tooMuch(`more than ${MOST_BYTES / 1024 / 1024} MB of text`);
}

const tooMuch = (what: string): never =>
  refuse("PAYLOAD_TOO_LARGE", `PDF: ${what}; ask for a part of the space by query.page`, {
    reason: "too_large",
  });
