import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import type { Made } from "./made.js";
import { IS_COMPUTED } from "./queries.js";
import type { ComputedSource } from "./source.js";

/** Sources of one space that integrations compute. */
const MOST = 20;
/** Characters of such a source as JSON; a longer one stays as it is declared. */
const LONGEST = 50_000;

/** What a source was computed from that shows nothing any more. */
export const NOTHING = "";

/** The id of what an integration computed of a source, as it was at a time; null is now. */
export const resultAt = ({ db }: Ctx, space: string, key: string, time: string | null) =>
  db
    .selectFrom("computed_result")
    .select("id")
    .where("space", "=", space)
    .where("key", "=", key)
    .$if(time !== null, (query) => query.where("created_at", "<=", time!))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

/** The pages of a result; undefined when it is gone. */
export async function pagesOfResult({ db }: Ctx, id: string): Promise<Made[] | undefined> {
  const row = await db.selectFrom("computed_result").select("pages").where("id", "=", id).executeTakeFirst();
  return (row?.pages as Made[] | undefined) ?? undefined;
}

/** The ids of the latest result of each source of a space. */
export async function latestResults({ db }: Ctx, space: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct on (key) id from computed_result
    where space = ${space} order by key, created_at desc, id desc limit ${MOST}`.execute(db);
  return rows.map(({ id }) => id);
}

/** What the latest result of each source was computed from, by its key. */
export async function inputsOf({ db }: Ctx, space: string, keys: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; inputs: string }>`select distinct on (key) key, inputs
    from computed_result where space = ${space} and key = any(${keys})
    order by key, created_at desc, id desc`.execute(db);
  return new Map(rows.map(({ key, inputs }) => [key, inputs]));
}

/** The keys of the sources of which some spaces show what integrations computed, by the spaces. */
export async function shownIn({ db }: Ctx, spaces: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ space: string; keys: string[] }>`select space, array_agg(key) as keys from (
      select distinct on (space, key) space, key, inputs from computed_result
      where space = any(${spaces}) order by space, key, created_at desc, id desc) latest
    where inputs <> ${NOTHING} group by space order by space`.execute(db);
  return new Map(rows.map(({ space, keys }) => [space, keys]));
}

/** Forgets which sources somebody asked for in some spaces. */
export const forgetAsks = ({ db }: Ctx, spaces: string[]) =>
  sql`delete from computed_ask where space = any(${spaces})`.execute(db);

/** Remembers that somebody asked for a source that no page declares. */
export const insertAsk = ({ db, clock }: Ctx, space: string, key: string, source: ComputedSource) =>
  db
    .insertInto("computed_ask")
    .values({ space, key, source: JSON.stringify(source), asked_at: clock() })
    .onConflict((conflict) => conflict.columns(["space", "key"]).doUpdateSet({ asked_at: clock() }))
    .execute();

/** The sources of integrations that pages of a space declare, and those that were asked for lately. */
export async function sourcesIn({ db }: Ctx, space: string, since: Date) {
  const { rows } = await sql<{ source: ComputedSource; declared: boolean }>`
    (select e.props -> 'computed' as source, true as declared from entry e
      where e.branch = ${space} and ${IS_COMPUTED} and e.to_seq is null and not e.removed
        and e.props -> 'computed' ->> 'type' like 'integration:%'
        and length(e.props ->> 'computed') <= ${LONGEST} order by e.position, e.id limit ${MOST})
    union all
    (select source, false from computed_ask where space = ${space} and asked_at > ${since}
      order by asked_at desc limit ${MOST})`.execute(db);
  return rows;
}

/** The spaces of an organization with pages that integrations compute. */
export async function spacesOfIntegrations({ db }: Ctx, organization: string): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct space.id from entry e join space on space.id = e.branch
    where ${IS_COMPUTED} and e.to_seq is null and not e.removed
      and e.props -> 'computed' ->> 'type' like 'integration:%'
      and space.organization = ${organization} and space.deleted_at is null
    order by space.id limit 1000`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many other sources somebody asked for in the last day; forgets those from before. */
export async function otherAsks({ db, clock }: Ctx, space: string, key: string): Promise<number> {
  const since = new Date(clock().getTime() - 86_400_000);
  await db
    .deleteFrom("computed_ask")
    .where("space", "=", space)
    .where("asked_at", "<", since.toISOString())
    .execute();
  const { rows } = await sql<{ asks: number }>`select count(*)::int as asks from computed_ask
    where space = ${space} and key <> ${key}`.execute(db);
  return rows[0]!.asks;
}
