// A grant ends with the membership that it was made to, and so does whatever else is kept of a member. Orgs is asked for the
// membership before that is written, and emits its end afterwards: whichever of the two comes last here sees the other,
// for both hold the same locks.

import { sql } from "kysely";
import { lockRows } from "../../access/lock.js";
import type { Ctx } from "../../trpc.js";
import { countGrants, type Subject } from "./count.js";

/** One key of this many stands for a subject. */
const KEYS = 1024;

/** Lets this transaction and all others that grant to the subjects, or end that, take turns until it ends. */
async function lockSubjects({ db }: Ctx, subjects: string[]) {
  await sql`
    select pg_advisory_xact_lock(hashtext(current_schema() || '.content_grant'), key) from (
      select distinct abs(hashtext(subject) % ${sql.lit(KEYS)}) as key
      from unnest(${subjects}::text[]) as subject order by key) as keys`.execute(db);
}

/** Remembers that a membership, or team, ended; until the transaction ends, nothing is written about it elsewhere. */
export async function remember(ctx: Ctx, organization: string, subject: string, joinedAt: string) {
  await lockSubjects(ctx, [subject]);
  await sql`
    insert into departure (organization, subject, joined_at)
    values (${organization}, ${subject}, ${joinedAt})
    on conflict (organization, subject)
    do update set joined_at = greatest(departure.joined_at, excluded.joined_at), departed_at = now()`.execute(
    ctx.db,
  );
}

/** How long an end is remembered: longer than any event about the membership can be under way, or wait to be handled. */
const REMEMBERED = sql.lit("30 days");

/** Forgets up to `most` ends that nothing can meet any more; returns how many there were. */
export async function forgetDepartures({ db }: Pick<Ctx, "db">, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from departure where ctid = any(array(
      select ctid from departure where departed_at < now() - ${REMEMBERED}::interval limit ${most}))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** Ends all that was granted to a membership, or team, which ended; what a later membership was granted stays. */
export async function depart(ctx: Ctx, organization: string, subject: Subject, joinedAt: string) {
  await remember(ctx, organization, subject.subject, joinedAt);
  const held = await ctx.db
    .selectFrom("content_grant")
    .select("target")
    .where("subject", "=", subject.subject)
    .where("organization", "=", organization)
    .execute();
  const targets = held.map(({ target }) => target);
  await lockRows(ctx, targets, "change");
  const dropped = await ctx.db
    .deleteFrom("content_grant")
    .where("subject", "=", subject.subject)
    .where("organization", "=", organization)
    .where((of) => of.or([of("joined_at", "is", null), of("joined_at", "<=", joinedAt)]))
    .returning("target")
    .execute();
  if (dropped.length > 0) await countGrants(ctx, organization, [subject]);
}

/** Those of the subjects whose membership has ended; of the others it does not until the transaction has. */
export async function departed(
  ctx: Ctx,
  organization: string,
  joined: Map<string, string | null>,
): Promise<Set<string>> {
  await lockSubjects(ctx, [...joined.keys()]);
  const { rows } = await sql<{ subject: string }>`
    select subject from departure
    join unnest(${[...joined.keys()]}::text[], ${[...joined.values()]}::timestamptz[]) as asked (subject, joined_at)
      using (subject)
    where organization = ${organization}
    and (asked.joined_at is null or asked.joined_at <= departure.joined_at)`.execute(ctx.db);
  return new Set(rows.map(({ subject }) => subject));
}
