import { arrayOf } from "@octavo/shared/database/any-of";
import { ask } from "@octavo/shared/database/posted";
import { sql } from "kysely";
import type { Changes } from "../../revisions/commit.js";
import { entriesById, entryById, pagesBelowEach, siblingsAtEnd, siblingsUnder } from "../../store/entries.js";
import { inOrder } from "../../store/order.js";
import { prepareStatementAt } from "../../store/prepare-at.js";
import { type Entry, entriesOf, type PageEntry, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** Changes that are being put together on top of a version: what one of them did, the next one sees. */
export interface Draft {
  version: ReadPoint;
  /** What was read of the version so far, by ids; undefined is "not there". */
  known: Map<string, Entry | undefined>;
  /** Texts of the version that were read ahead, by their hashes. */
  stored: Map<string, string>;
  put: Map<string, Entry>;
  removed: Set<string>;
  /** Entries of `put` that are just as the base of the change request has them: it lets go of its own. */
  released: Map<string, Entry>;
  /** New texts by the id of their page; they are kept when the draft is committed. */
  texts: Map<string, string>;
}

export const openDraft = (version: ReadPoint): Draft => ({
  version,
  known: new Map(),
  stored: new Map(),
  put: new Map(),
  removed: new Set(),
  released: new Map(),
  texts: new Map(),
});

export function changesOf({ put, removed, released, known, texts }: Draft): Changes {
  const isReleased = (entry: Entry) => released.get(entry.id) === entry;
  return {
    put: [...put.values()].filter((entry) => !isReleased(entry)),
    remove: [...removed],
    release: [...put.values()].filter(isReleased).map(({ id }) => id),
    known,
    texts,
  };
}

/** Characters of a text that is read ahead: of as many as changes name, these are all in memory. */
const SHORT = 64 * 1024;

/**
 * Sends for entries of a version that changes are about to name, with their texts unless these are long, by one query;
 * they are put into the draft that is made when its branch is locked. They are read once more if that has another base by then.
 */
export async function askAhead(
  ctx: Ctx,
  expected: ReadPoint,
  ids: string[],
): Promise<(draft: Draft) => Promise<void>> {
  if (ids.length === 0) return async () => {};
  const askAt = (version: ReadPoint) => ask(ctx.db, entriesWithTexts(version, { space: version.space, ids }));
  const read = await askAt(expected);
  return async ({ version, known, stored }) => {
    const isExpected = version.base?.seq === expected.base?.seq;
    const rows = await (isExpected ? read : await askAt(version))();
    for (const id of ids) known.set(id, undefined);
    for (const { markdown, ...entry } of rows) {
      known.set(entry.id, entry);
      if (markdown !== null) stored.set(entry.body!, markdown);
    }
  };
}

const entriesWithTexts = prepareStatementAt<
  { space: string; ids: string[] },
  Entry & { markdown: string | null }
>(
  (at, arg) => sql`select e.*, b.markdown
    from (${entriesOf(at, sql`e.id = any(${arrayOf(arg("ids"))})`)}) e
    left join body b on b.space = ${arg("space")} and b.hash = e.body and octet_length(b.markdown) <= ${sql.lit(SHORT)}`,
);

/** An entry as the draft has it. */
export async function draftEntry(ctx: Ctx, draft: Draft, id: string): Promise<Entry | undefined> {
  if (draft.removed.has(id)) return;
  const changed = draft.put.get(id);
  if (changed) return changed;
  if (!draft.known.has(id)) draft.known.set(id, await entryById(ctx, draft.version, id));
  return draft.known.get(id);
}

/** Several entries as the draft has them, by their ids. */
export async function draftEntries(ctx: Ctx, draft: Draft, ids: string[]): Promise<Map<string, Entry>> {
  const stored = await entriesById(ctx, draft.version, ids);
  for (const id of ids) {
    const changed = draft.put.get(id);
    if (changed) stored.set(id, changed);
    else if (draft.removed.has(id)) stored.delete(id);
  }
  return stored;
}

/** The pages under a parent as the draft has them, in order. */
export async function draftSiblings(ctx: Ctx, draft: Draft, parent: string | null) {
  const stored = await siblingsUnder(ctx, draft.version, parent);
  return [
    ...stored.filter(({ id }) => !draft.removed.has(id) && !draft.put.has(id)),
    ...putUnder(draft, parent),
  ].sort(inOrder);
}

/** Of these pages, what one of this slug has to know that comes to their end: costs the same however many they are. */
export async function draftSiblingsAtEnd(ctx: Ctx, draft: Draft, parent: string | null, slug: string) {
  const without = [...draft.removed, ...draft.put.keys()];
  const stored = await siblingsAtEnd(ctx, draft.version, parent, { slug, without });
  return [...stored, ...putUnder(draft, parent)].sort(inOrder);
}

const putUnder = (draft: Draft, parent: string | null) =>
  [...draft.put.values()].filter((entry) => entry.kind === "page" && entry.parent === parent);

/** A page and everything below it as the draft has it, parents before children. */
export async function draftSubtree(ctx: Ctx, draft: Draft, page: PageEntry): Promise<PageEntry[]> {
  const stored = new Map<string, Entry>();
  const searched = new Set<string>();
  let subtree: PageEntry[] = [];
  // What a change put below the page brings along what is stored below itself.
  for (let roots = [page.id]; roots.length > 0; ) {
    const below = await pagesBelowEach(ctx, draft.version, roots);
    for (const entry of below) stored.set(entry.id, entry);
    for (const id of [...roots, ...stored.keys()]) searched.add(id);
    const kept = [...stored.values()].filter(({ id }) => !draft.removed.has(id) && !draft.put.has(id));
    subtree = treeBelow(page, [...kept, ...draft.put.values()]);
    roots = subtree.map(({ id }) => id).filter((id) => !searched.has(id));
  }
  return subtree;
}

/** A page and those of the entries that are below it. Pages that stand in a circle come once. */
function treeBelow(page: PageEntry, entries: Entry[]): PageEntry[] {
  const children = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    if (entry.kind !== "page" || entry.parent === null) continue;
    const beside = children.get(entry.parent);
    if (beside) beside.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const seen = new Set([page.id]);
  const subtree = [page];
  for (const { id } of subtree) {
    for (const entry of children.get(id) ?? []) {
      if (seen.has(entry.id)) continue;
      seen.add(entry.id);
      subtree.push(entry);
    }
  }
  return subtree;
}
