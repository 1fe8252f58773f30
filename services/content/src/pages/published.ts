import { isMet } from "@octavo/markdown/expression/evaluate";
import { withoutHidden } from "@octavo/markdown/text/hidden-text";
import { claimsOf } from "../access/claims.js";
import { permits } from "../permissions.js";
import type { ResolvedTarget } from "../revisions/target.js";
import { entriesOfKind } from "../store/entries.js";
import type { PageEntry, ReadPoint, ReusableContentEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { Evaluated } from "./schema.js";

// What somebody sees of a space who may not read it, but whom a site shows it: what every visitor with the same claims
// does. That leaves out what is for other visitors, and what is written for those who work on the text.

type Claims = Record<string, unknown>;

/** The work that the conditions of all pages of one response may do; those behind it are met by nobody. */
const STEPS = 1_000_000;

/** Whether the caller views the content only because a site shows it. */
export const isVisitor = ({ level }: ResolvedTarget): boolean => !permits(level, "space.access");

/** What the caller claims, who views the content only because a site shows it; undefined for all others. */
const claimsIn = (ctx: Ctx, scope: ResolvedTarget): Claims | undefined =>
  isVisitor(scope) ? claimsOf(ctx.caller) : undefined;

/**
 * The pages that the caller is shown: of a visitor, those whose conditions are met by what the visitor claims. With `claims`
 * it is asked for somebody else, who is a visitor.
 */
export async function shownPages(
  ctx: Ctx,
  scope: ResolvedTarget,
  pages: PageEntry[],
  claims = claimsIn(ctx, scope),
): Promise<PageEntry[]> {
  if (!claims || !pages.some(({ props }) => props.condition)) return pages;
  const inputs = { visitor: { claims }, space: await variablesOf(ctx, scope.version) };
  const budget = { steps: STEPS };
  return pages.filter(({ props: { condition, variables: vars = {} } }) => {
    if (!condition) return true;
    return isMet(condition, { ...inputs, page: { vars } }, budget);
  });
}

/** The variables of a space, as expressions read them. */
export async function variablesOf(ctx: Ctx, version: ReadPoint): Promise<{ vars: Record<string, unknown> }> {
  const variables = await entriesOfKind(ctx, version, "variable");
  return { vars: Object.fromEntries(variables.map(({ title, props }) => [title, props.value])) };
}

/**
 * An entry with the words that it is called and described by as the caller is shown them. Nobody evaluates these words:
 * what stands in a condition there is left out for all visitors, and where the text is evaluated as well.
 */
export const redactTitle =
  (scope: ResolvedTarget, evaluated: Evaluated = "false") =>
  <Shown extends PageEntry | ReusableContentEntry>(entry: Shown): Shown => {
    if (!isVisitor(scope) && evaluated !== "true") return entry;
    const { description } = entry.props;
    const props = description ? { ...entry.props, description: withoutHidden(description) } : entry.props;
    return { ...entry, title: withoutHidden(entry.title) || "Untitled", props };
  };

/**
 * Whether a page is shown, by the line from it up, to the caller or to a visitor with these claims. To visitors it has to
 * reach the top: what is above decides too.
 */
export async function isVisibleWithAncestors(
  ctx: Ctx,
  scope: ResolvedTarget,
  line: PageEntry[],
  claims = claimsIn(ctx, scope),
): Promise<boolean> {
  const shown = await shownPages(ctx, scope, line, claims);
  return shown.length === line.length && (!claims || line.at(-1)!.parent === null);
}
