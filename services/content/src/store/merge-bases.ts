import { anyOf } from "@octavo/shared/database/any-of";
import { ask } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { batchesBySize } from "./batches.js";
import { bodiesOf, sizesOf, suspectBodies, textIn } from "./bodies.js";
import type { Sides, Texts } from "./merge-entry.js";
import type { Entry } from "./version.js";

/**
 * Where decisions moved the common ancestor of entries of a change request: by their ids, undefined where there is no
 * ancestor any more. All others are merged from the revision that the change request stands on.
 */
export const mergeBasesOf = async (ctx: Ctx, changeRequest: string): Promise<Bases> =>
  (await askForMergeBases(ctx, changeRequest))();

type Bases = Map<string, Entry | undefined>;

/** The same, on its way together with what is asked next. */
export async function askForMergeBases({ db }: Ctx, changeRequest: string): Promise<() => Promise<Bases>> {
  const read = await ask(db, basesOf({ changeRequest }));
  return async () => new Map((await read()).map(({ id, entry }) => [id, entry ?? undefined]));
}

const basesOf = prepareStatement(
  (arg: Argument<{ changeRequest: string }>) => sql<{ id: string; entry: Entry | null }>`
    select id, entry from merge_base where change_request = ${arg("changeRequest")}`,
);

/** Moves common ancestors. */
export async function moveMergeBases(
  ctx: Ctx,
  space: string,
  changeRequest: string,
  bases: Map<string, Entry | undefined>,
): Promise<void> {
  if (bases.size === 0) return;
  await forgetMergeBases(ctx, space, changeRequest, [...bases.keys()]);
  const entries = [...bases].map(([id, entry]) => ({ id, entry: entry ?? null }));
  await sql`insert into merge_base (change_request, id, entry)
    select ${changeRequest}, b.id, nullif(b.entry, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as b (id text, entry jsonb)`.execute(ctx.db);
}

/** Lets entries be merged from the revision that the change request stands on: those with the given ids, or all. */
export async function forgetMergeBases(
  ctx: Ctx,
  space: string,
  changeRequest: string,
  ids?: string[],
): Promise<void> {
  if (ids?.length === 0) return;
  const forgotten = await ctx.db
    .deleteFrom("merge_base")
    .where("change_request", "=", changeRequest)
    .$if(ids !== undefined, (query) => query.where("id", "=", anyOf(ids!)))
    .returning(sql<string | null>`entry ->> 'body'`.as("body"))
    .execute();
  await suspectBodies(
    ctx,
    space,
    forgotten.flatMap(({ body }) => body ?? []),
  );
}

/**
 * Goes through items with the texts that combining their sides may have to look into, few bytes of these at a time:
 * both sides may have changed every page of a space.
 */
export async function* withTexts<Item>(
  ctx: Ctx,
  space: string,
  items: Item[],
  sidesOf: (item: Item) => Sides[],
): AsyncGenerator<{ batch: Item[]; texts: Texts }> {
  const sizes = async (some: Item[]) => {
    const hashes = some.map((item) => sidesOf(item).flatMap(disputedTexts));
    const known = await sizesOf(ctx, space, hashes.flat());
    return hashes.map(({ length }) => known.splice(0, length).reduce((sum, size) => sum + size, 0));
  };
  for await (const batch of batchesBySize(items, sizes))
    yield { batch, texts: await textsOf(ctx, space, batch.flatMap(sidesOf)) };
}

/** Reads the texts that combining these sides may have to look into; one that is missing ends the request. */
export async function textsOf(
  ctx: Ctx,
  space: string,
  sides: Sides[],
  hashes = sides.flatMap(disputedTexts),
): Promise<Texts> {
  const known = await bodiesOf(ctx, space, hashes);
  return {
    textOf: (hash) => textIn(known, hash),
    merge: (texts) => ctx.work.run("mergeMarkdown", texts),
    decide: (texts, wanted) =>
      ctx.work.run("decideConflicts", { texts, ...(wanted !== undefined && { wanted }) }),
  };
}

function disputedTexts({ base, primary, own }: Sides): string[] {
  if (own?.kind === "file" || !base?.body || !primary?.body || !own?.body) return [];
  if (own.body === primary.body || own.body === base.body || primary.body === base.body) return [];
  return [base.body, primary.body, own.body];
}
