import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { entriesById } from "./entries.js";
import type { Entry, ReadPoint } from "./version.js";

/** An entry that two versions do not agree on; undefined is "not there". */
export interface Difference {
  id: string;
  before: Entry | undefined;
  after: Entry | undefined;
}

/**
 * What was written between a version and one that grew from it, in the order of ids; entries that were only touched
 * may be among them. Without `before` that is all that the first revision brought. Costs what was written: the space
 * is never compared with itself.
 */
export async function writtenBetween(
  ctx: Ctx,
  before: ReadPoint | undefined,
  after: ReadPoint,
): Promise<Difference[]> {
  const { rows } = await idsWrittenBetween(before, after).execute(ctx.db);
  const ids = rows.map(({ id }) => id).sort();
  const [old, now] = await Promise.all([
    before ? entriesById(ctx, before, ids) : new Map<string, Entry>(),
    entriesById(ctx, after, ids),
  ]);
  return ids.map((id) => ({ id, before: old.get(id), after: now.get(id) }));
}

/** The ids of the entries that began or ended between two versions. */
function idsWrittenBetween(before: ReadPoint | undefined, after: ReadPoint): RawBuilder<{ id: string }> {
  const parts: RawBuilder<unknown>[] = [];
  if (before?.branch === after.branch || !after.base)
    parts.push(writtenOn(after.branch, before?.seq ?? 0, after.seq!));
  else parts.push(heldBy(after));
  // What shows through below a change request moves with an update.
  if (after.base) {
    const shown = before?.base?.seq ?? before?.seq ?? 0;
    parts.push(writtenOn(after.base.branch, shown, after.base.seq));
  }
  return sql`${sql.join(parts, sql` union `)}`;
}

const writtenOn = (branch: string, after: number, until: number) => sql`
  select id from entry where branch = ${branch} and from_seq > ${after} and from_seq <= ${until}
  union select id from entry where branch = ${branch} and to_seq > ${after} and to_seq <= ${until}`;

const heldBy = ({ branch, seq }: ReadPoint) =>
  seq === undefined
    ? sql`select id from entry where branch = ${branch} and to_seq is null`
    : sql`select id from entry where branch = ${branch} and from_seq <= ${seq} and (to_seq is null or to_seq > ${seq})`;
