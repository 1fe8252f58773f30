import type { MadeEntry } from "../pages/made.js";
import { derivedOnce } from "../revisions/cached.js";
import { untag } from "../revisions/tag.js";
import type { ResolvedTarget } from "../revisions/target.js";
import { siblingsUnder, withAncestors } from "../store/entries.js";
import type { PageEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { computePages } from "./compute.js";
import { entriesOf } from "./made.js";
import * as queries from "./queries.js";
import type { ComputedSource } from "./source.js";

// Pages that declare a source are shown as the pages that the source makes, in their place. What a revision shows follows
// from the revision alone: it reads what sources were when it was made, and what changes a source adds a revision.

interface Declared {
  entry: PageEntry;
  /** The pages above it, innermost first. */
  above: PageEntry[];
  /** The slugs of the pages beside it. */
  taken: string[];
}

const BYTES = 2_000;

/** The pages of a version that declare a source, and when it was made; read once for each revision. */
export const declaredIn = (ctx: Ctx, { version }: ResolvedTarget) =>
  derivedOnce<{ time: string; pages: Declared[] }>(
    ctx,
    { space: version.space, version },
    {
      key: "computed pages",
      sizeOf: ({ pages }) => BYTES * (1 + pages.length),
      make: async () => {
        const [time, pages] = await Promise.all([
          queries.timeOf(ctx, version.revision),
          queries.declaredPages(ctx, version),
        ]);
        return { time, pages: await placed(ctx, version, pages) };
      },
    },
  );

/** Pages with what stands above and beside each; costs statements by the depth of the tree, not by the pages. */
async function placed(ctx: Ctx, version: ResolvedTarget["version"], pages: PageEntry[]): Promise<Declared[]> {
  const parents = [...new Set(pages.flatMap(({ parent }) => parent ?? []))];
  const isAtTop = pages.some(({ parent }) => parent === null);
  const [known, slugs, top] = await Promise.all([
    withAncestors(ctx, version, parents),
    queries.slugsUnder(ctx, version, parents),
    isAtTop ? siblingsUnder(ctx, version, null) : [],
  ]);
  const above = (id: string | null): PageEntry[] => {
    const page = id === null ? undefined : (known.get(id) as PageEntry | undefined);
    return page ? [page, ...above(page.parent)] : [];
  };
  const atTop = top.flatMap(({ slug }) => slug ?? []);
  return pages.map((entry) => ({
    entry,
    above: above(entry.parent),
    taken: entry.parent === null ? atTop : (slugs.get(entry.parent) ?? []),
  }));
}

/** The pages that a declared one makes; undefined while its source is not there. Such a response may change by itself. */
async function madeBy(
  ctx: Ctx,
  scope: ResolvedTarget,
  time: string,
  { entry, taken }: Declared,
): Promise<MadeEntry[] | undefined> {
  const { computed } = entry.props as { computed: ComputedSource };
  const made = await computePages(ctx, { ...scope, time }, computed);
  if (!made) untag(ctx);
  return made && entriesOf(made, { seed: entry.id, declared: entry, taken });
}

/** Puts the pages that are computed in the place of those that declare them; what cannot be computed yet stays. */
export async function withComputed(
  ctx: Ctx,
  scope: ResolvedTarget,
  entries: PageEntry[],
): Promise<PageEntry[]> {
  if (!entries.some(({ props }) => props.type === "computed")) return entries;
  const ids = new Set(entries.map(({ id }) => id));
  const made = new Map<string, MadeEntry[]>();
  const { time, pages: all } = await declaredIn(ctx, scope);
  for (const declared of all) {
    if (!ids.has(declared.entry.id)) continue;
    const pages = await madeBy(ctx, scope, time, declared);
    if (pages) made.set(declared.entry.id, pages);
  }
  return entries.flatMap((entry) => made.get(entry.id) ?? [entry]);
}

/** A page that is computed, with the pages above it (innermost first), those below it, and its text. */
export interface FoundPage {
  entry: MadeEntry;
  above: PageEntry[];
  below: PageEntry[];
}

/** Finds a page that is computed by its id or its path; undefined when no source makes it. */
export async function findComputed(
  ctx: Ctx,
  scope: ResolvedTarget,
  wanted: { id: string } | { slugs: string[] },
): Promise<FoundPage | undefined> {
  const { time, pages: all } = await declaredIn(ctx, scope);
  for (const declared of all) {
    const outside = declared.above.map(({ slug }) => slug).reverse();
    if ("slugs" in wanted && outside.some((slug, at) => slug !== wanted.slugs[at])) continue;
    const pages = (await madeBy(ctx, scope, time, declared)) ?? [];
    const byId = new Map(pages.map((page) => [page.id, page]));
    const lineOf = (page: MadeEntry): MadeEntry[] => {
      const parent = page.parent === null ? undefined : byId.get(page.parent);
      return parent ? [page, ...lineOf(parent)] : [page];
    };
    const isWanted = (page: MadeEntry) => {
      if ("id" in wanted) return page.id === wanted.id;
      const path = [
        ...outside,
        ...lineOf(page)
          .map(({ slug }) => slug)
          .reverse(),
      ];
      return path.length === wanted.slugs.length && path.every((slug, at) => slug === wanted.slugs[at]);
    };
    const entry = pages.find(isWanted);
    if (!entry) continue;
    const [, ...above] = lineOf(entry);
    const below = pages.filter((page) => page.id !== entry.id && lineOf(page).includes(entry));
    return { entry, above: [...above, ...declared.above], below };
  }
  return undefined;
}
