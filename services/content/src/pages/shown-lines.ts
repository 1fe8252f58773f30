import { type Inputs, isMet } from "@octavo/markdown/expression/evaluate";
import { hasConditions } from "@octavo/markdown/text/hidden-text";
import { WorkFailed } from "@octavo/shared/workers/pool";
import { claimsOf } from "../access/claims.js";
import { hasComment } from "../documents/comments-cut.js";
import { editionOf } from "../search-index/editions.js";
import type { PageKey } from "../search-index/page-parts.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./placed-queries.js";

// What of pages in several spaces a visitor is shown: for what is found by other ways than through one space.

/** The work that the conditions of all these pages may do; those behind it are met by nobody. */
const STEPS = 1_000_000;

/** A page that a visitor is shown, with what is above it, innermost first, and what its expressions read. */
export interface ShownLine {
  line: [queries.Placed, ...queries.Placed[]];
  inputs: Inputs;
}

/**
 * Finds those of the pages that a visitor is shown, at their newest, or as an edition of the index has them; a few
 * queries for all of them.
 */
export async function shownLines(
  ctx: Ctx,
  pages: PageKey[],
): Promise<(page: PageKey) => ShownLine | undefined> {
  const spaces = new Map(pages.map(({ space, page }) => [space, editionOf(page)]));
  const [lineOf, variables] = await Promise.all([
    queries.linesOf(ctx, pages),
    queries.variablesIn(ctx, spaces),
  ]);
  const visitor = { claims: claimsOf(ctx.caller) };
  const budget = { steps: STEPS };
  const inputsOf = ({ space, props }: queries.Placed): Inputs => ({
    visitor,
    space: { vars: variables.get(space) ?? {} },
    page: { vars: props.variables ?? {} },
  });
  const isShown = (one: queries.Placed) =>
    !one.props.condition || isMet(one.props.condition, inputsOf(one), budget);
  return (page) => {
    const [first, ...above] = lineOf(page) ?? [];
    if (!first || ![first, ...above].every(isShown)) return undefined;
    return { line: [first, ...above], inputs: inputsOf(first) };
  };
}

/** The markdown of a text as the visitor reads it, below `title`; undefined when it can not be read. */
export async function textShown(
  ctx: Ctx,
  markdown: string,
  { title, inputs }: { title: string; inputs: Inputs },
): Promise<string | undefined> {
  const evaluation = hasConditions(markdown) && { inputs, deterministicOnly: false };
  const reading = { markdown, title, uncommented: hasComment(markdown), ...(evaluation && { evaluation }) };
  try {
    return await ctx.work.run("readShown", reading);
  } catch (error) {
    if (!(error instanceof WorkFailed)) throw error;
    return undefined;
  }
}
