import { sql } from "kysely";
import { batchesOf, keyset } from "../../store/batches.js";
import { type Difference, writtenBetween } from "../../store/differences.js";
import { equal } from "../../store/merge-entry.js";
import { type Entry, entriesOf, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** A version of the primary content, and the number of the revision that the branch holds, if it holds one. */
export interface Span {
  version: ReadPoint & { seq: number };
  since: number | undefined;
}

/** What the branch does not have yet: what was written since, or all of it. */
export interface Written {
  /** Entries with a content; those of a page that stands twice in the table of contents come twice. */
  entries: Entry[];
  /** Paths that entries had and have no more. */
  left: string[];
  /** Whether the table of contents may have changed, and whether a variable has. */
  outline: boolean;
  variables: boolean;
}

const PORTION = 500;

/** Finds what was written since the branch was the same; costs what was written. */
export async function writtenSince(ctx: Ctx, { version, since }: Span): Promise<Written> {
  if (since === undefined) return all(ctx, version);
  const differences = await writtenBetween(ctx, { ...version, seq: since }, version);
  const changed = differences.filter(isChanged);
  return {
    entries: changed.flatMap(({ before, after }) =>
      after && hasContent(after) && differs(before, after) ? [after] : [],
    ),
    left: changed.flatMap(({ before, after }) =>
      before?.git_path && before.git_path !== after?.git_path ? [before.git_path] : [],
    ),
    outline: changed.some(changesOutline),
    variables: changed.some(({ before, after }) => (before ?? after)?.kind === "variable"),
  };
}

async function all(ctx: Ctx, version: ReadPoint): Promise<Written> {
  const rows = keyset<Entry>(async (last) => {
    const where = sql`e.kind <> 'variable' and e.body is not null and e.id > ${last?.id ?? ""}`;
    const { rows } = await sql<Entry>`select * from (${entriesOf(version, where)}) e
      order by e.id limit ${PORTION}`.execute(ctx.db);
    return rows;
  });
  const entries: Entry[] = [];
  for await (const batch of batchesOf(rows, PORTION)) entries.push(...batch);
  return { entries, left: [], outline: true, variables: true };
}

const hasContent = ({ kind, body }: Entry) => kind !== "variable" && body !== null;
const isChanged = ({ before, after }: Difference) => before !== undefined || after !== undefined;
const differs = (before: Entry | undefined, after: Entry) =>
  before?.body !== after.body || before.git_path !== after.git_path || after.git_path === null;

/** What the table of contents says of a page. */
const SAID = ["parent", "position", "title", "slug", "git_path"] as const;
const SAID_PROPS = ["type", "linkTitle", "target", "computed", "occurrence"] as const;

function changesOutline({ before, after }: Difference): boolean {
  if ((before ?? after)?.kind !== "page") return false;
  if (!before || !after || (before.body === null) !== (after.body === null)) return true;
  const [was, is] = [before.props, after.props] as Record<string, unknown>[];
  return (
    SAID.some((field) => before[field] !== after[field]) ||
    SAID_PROPS.some((name) => !equal(was?.[name], is?.[name]))
  );
}

/**
 * Of pages that are made of one file, those whose text is another than the first one's: they get files of their own.
 * Looks at the given entries and what shares a file with them.
 */
export async function splitPages(ctx: Ctx, version: ReadPoint, entries: Entry[]): Promise<Entry[]> {
  const paths = entries.flatMap(({ kind, git_path }) => (kind === "page" && git_path ? [git_path] : []));
  const split: Entry[] = [];
  for await (const batch of batchesOf(new Set(paths), PORTION)) {
    const shared = entriesOf(version, sql`e.kind = 'page' and e.git_path = any(${batch})`);
    const { rows } = await sql<Entry>`select * from (${shared}) e
      order by e.git_path, coalesce((e.props->>'occurrence')::int, 0), e.id`.execute(ctx.db);
    const first = new Map<string, Entry>();
    for (const entry of rows) {
      const one = first.get(entry.git_path!);
      if (!one) first.set(entry.git_path!, entry);
      else if (one.body !== entry.body) split.push(entry);
    }
  }
  return split;
}

/** Which of some paths files of a version still lie at, besides some entries. */
export async function stillThere(
  ctx: Ctx,
  version: ReadPoint,
  { paths, besides }: { paths: string[]; besides: Set<string> },
): Promise<Set<string>> {
  const there = entriesOf(version, sql`e.git_path = any(${paths})`, sql`e.id, e.git_path as path`);
  const { rows } = await sql<{ id: string; path: string }>`${there}`.execute(ctx.db);
  return new Set(rows.flatMap(({ id, path }) => (besides.has(id) ? [] : [path])));
}
