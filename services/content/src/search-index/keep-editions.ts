import { transact } from "@octavo/shared/database/transact";
import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { sql } from "kysely";
import { z } from "zod";
import { entriesOf, primaryAt } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { type Indexed, indexPages } from "./index-pages.js";

/** Brings the editions of a space in the index in line with what sites pin of it. */
export const keepEditionsJob = defineJob("search.editions", z.object({ space: z.string() }), {
  attempts: 5,
  deadlineMs: 20 * 60_000,
});
/** Brings the editions of all spaces of which something is pinned in line, in case one was missed. */
export const keepAllEditionsJob = defineJob("search.all-editions", z.object({}));

/** Has the editions of a space looked after soon; what waits already does it for all. */
export async function keepEditionsSoon(ctx: Ctx, space: string): Promise<void> {
  const queue = `${keepEditionsJob.name} ${space}`;
  await enqueue(ctx, keepEditionsJob, { space }, { key: queue, queue });
}

/** Has the editions of all spaces looked after that a site pins, or that have any. */
export async function keepAllEditions(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ space: string }>`
    select distinct space from audience where revision is not null`.execute(ctx.db);
  for (const { space } of rows) await keepEditionsSoon(ctx, space);
}

/** Indexes what sites pin of a space and is not in the index, and takes out what none pins any more. */
export async function keepEditions(
  ctx: Ctx,
  space: string,
  signal?: Pick<AbortSignal, "throwIfAborted">,
): Promise<void> {
  const wanted = await pinnedOf(ctx, space);
  const kept = await editionsOf(ctx, space);
  for (const edition of kept) if (!wanted.includes(edition)) await forgetEdition(ctx, space, edition);
  for (const edition of wanted) {
    signal?.throwIfAborted();
    if (!kept.includes(edition)) await indexEdition(ctx, space, edition);
  }
}

async function pinnedOf({ db }: Ctx, space: string): Promise<string[]> {
  const rows = db.selectFrom("audience").select("revision").distinct().where("space", "=", space);
  return (await rows.execute()).flatMap(({ revision }) => revision ?? []);
}

async function editionsOf({ db }: Ctx, space: string): Promise<string[]> {
  const { rows } = await sql<{ edition: string }>`select distinct split_part(page, '@', 2) as edition
    from search_page where space = ${space} and strpos(page, '@') > 0`.execute(db);
  return rows.map(({ edition }) => edition);
}

async function forgetEdition(ctx: Ctx, space: string, edition: string): Promise<void> {
  await transact(ctx, async ({ db }) => {
    const isOf = sql`space = ${space} and strpos(page, '@') > 0 and split_part(page, '@', 2) = ${edition}`;
    await sql`delete from search_section where ${isOf}`.execute(db);
    await sql`delete from search_page where ${isOf}`.execute(db);
  });
}

/** In one transaction: an edition is there as a whole or not at all. */
async function indexEdition(ctx: Ctx, space: string, edition: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { rows } = await sql<{ organization: string; seq: number }>`select space.organization, r.seq
      from space join revision r on r.space = space.id and r.branch = space.id and r.id = ${edition}
      where space.id = ${space} and space.deleted_at is null for share of space`.execute(ctx.db);
    const [found] = rows;
    if (!found) return;
    const { organization, seq } = found;
    const put = pagesAt(ctx, space, seq);
    await indexPages(ctx, { space, organization, edition, put, remove: [] });
  });
}

const BATCH = 500;

/** The pages of the primary content as they were at one of its revisions. */
function pagesAt({ db }: Ctx, space: string, seq: number): AsyncIterable<Indexed> {
  return { [Symbol.asyncIterator]: read };
  async function* read() {
    for (let after = ""; ; ) {
      const where = sql`e.kind = 'page' and e.id > ${after}`;
      const { rows } = await sql<Indexed>`select * from (${entriesOf(primaryAt(space, seq), where)}) e
        order by e.id limit ${BATCH}`.execute(db);
      yield* rows;
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.id;
    }
  }
}
