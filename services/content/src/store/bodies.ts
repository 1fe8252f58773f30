import { createHash } from "node:crypto";
import { anyOf, arrayOf } from "@octavo/shared/database/any-of";
import { ask, post } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { yielding } from "@octavo/shared/workers/yield";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { batchesBySize } from "./batches.js";
import { GRACE_MS } from "./grace.js";

/** The name of a text in the store: SHA-256 in base64url. */
export const hashOf = (content: string | Buffer) => createHash("sha256").update(content).digest("base64url");

/**
 * Keeps texts, each once for a space and few bytes at a time, and returns their hashes in the same order. Those that no
 * entry names within the time of grace are swept.
 */
export async function keepBodies(ctx: Ctx, space: string, texts: string[]): Promise<string[]> {
  const hashes: string[] = [];
  const giveWay = yielding();
  for (const text of texts) {
    hashes.push(hashOf(text));
    await giveWay();
  }
  // In one order for all, so that none waits for another that waits for it.
  const unique = [...new Map(hashes.map((hash, index) => [hash, texts[index]!]))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  for await (const batch of batchesBySize(unique, bytesOf)) {
    // Of many texts few are in memory at a time.
    if (texts.length === 1) await post(ctx.db, keptOne(oneOf(ctx, space, batch[0]!)));
    else await keptMany(ctx, space, batch).execute(ctx.db);
  }
  return hashes;
}

/** A text under its hash. */
type Named = [hash: string, text: string];

interface Kept {
  space: string;
  hashes: string[];
  /** Until when they stay though nothing names them, and from when on that is far enough away. */
  check: Date;
  soon: Date;
}

const oneOf = (ctx: Ctx, space: string, [hash, text]: Named) => ({
  space,
  hashes: [hash],
  check: checkTime(ctx),
  soon: soonTime(ctx),
  hash,
  text,
});

const keptOne = prepareStatement((arg: Argument<Kept & { hash: string; text: string }>) =>
  kept((name) => arg(name), sql`(${arg("hash")}::text, ${arg("text")}::text)`),
);

function keptMany(ctx: Ctx, space: string, texts: Named[]) {
  const values = { space, hashes: texts.map(([hash]) => hash), check: checkTime(ctx), soon: soonTime(ctx) };
  // No array of texts: to write one takes seconds for a text of nothing but quotes.
  const rows = sql.join(texts.map(([hash, text]) => sql`(${hash}::text, ${text}::text)`));
  return kept((name) => sql`${values[name]}`, rows);
}

/**
 * The statement that keeps texts. Those that are there are put off before any is found to be there. By an array, which is
 * looked up: while an import fills a space the planner takes it for empty, and would join all its texts.
 */
const kept = (arg: Argument<Kept>, rows: RawBuilder<unknown>) => sql`
  with put_off as (
    update body set check_at = ${arg("check")} where space = ${arg("space")} and hash = any(array(
      select hash from body where space = ${arg("space")} and hash = any(${arrayOf(arg("hashes"))})
        and check_at < (select ${arg("soon")}::timestamptz)
      order by hash for update))
    returning 1)
  insert into body (space, hash, markdown, check_at)
  select ${arg("space")}, t.hash, t.markdown, ${arg("check")}::timestamptz
  from (select count(*) from put_off) as before, (values ${rows}) as t (hash, markdown)
  on conflict do nothing`;

const bytesOf = async (texts: Named[]) => texts.map(([, text]) => Buffer.byteLength(text));

const checkTime = ({ clock }: Ctx) => new Date(clock().getTime() + GRACE_MS);

/** What is kept again shall not be swept at that moment. A text that has been checked is named, and stays as it is. */
const soonTime = ({ clock }: Ctx) => new Date(clock().getTime() + GRACE_MS / 2);

/** Lets texts that something named until now be checked; those that an entry names as well stay. */
export async function suspectBodies(ctx: Ctx, space: string, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  await sql`update body set check_at = ${checkTime(ctx)} where space = ${space} and hash in (
    select hash from body where space = ${space} and hash = any(${hashes}) order by hash for update)`.execute(
    ctx.db,
  );
}

/** The bytes of the texts with the given hashes, in their order; 0 where there is none. */
export async function sizesOf(
  ctx: Pick<Ctx, "db">,
  space: string,
  hashes: (string | null)[],
): Promise<number[]> {
  if (hashes.every((hash) => hash === null)) return hashes.map(() => 0);
  const known = await ctx.db
    .selectFrom("body")
    .select(["hash", sql<number>`octet_length(markdown)`.as("size")])
    .where("space", "=", space)
    .where("hash", "=", anyOf([...new Set(hashes)].filter((hash) => hash !== null)))
    .execute();
  const sizes = new Map<string | null, number>(known.map(({ hash, size }) => [hash, size]));
  return hashes.map((hash) => sizes.get(hash) ?? 0);
}

/** The text with a hash. Throws when the space has lost it: nothing takes a text that is missing for an empty one. */
export async function bodyOf(ctx: Pick<Ctx, "db">, space: string, hash: string): Promise<string> {
  return textIn(await bodiesOf(ctx, space, [hash]), hash);
}

/** One of the texts that were read; throws when it is not among them. */
export function textIn(texts: Map<string, string>, hash: string): string {
  const text = texts.get(hash);
  if (text === undefined) throw new Error(`The text ${hash} is missing`);
  return text;
}

/** The texts with the given hashes; a hash that the space does not have is left out. */
export async function bodiesOf(
  ctx: Pick<Ctx, "db">,
  space: string,
  hashes: string[],
): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  return textsIn(await namedBodies(ctx, space, hashes).execute());
}

/** The same, on its way together with what is asked next. */
export async function askForBodies(
  ctx: Pick<Ctx, "db">,
  space: string,
  hashes: string[],
): Promise<() => Promise<Map<string, string>>> {
  const read = await ask(ctx.db, namedBodies(ctx, space, hashes));
  return async () => textsIn(await read());
}

const namedBodies = ({ db }: Pick<Ctx, "db">, space: string, hashes: string[]) =>
  db
    .selectFrom("body")
    .select(["hash", "markdown"])
    .where("space", "=", space)
    .where("hash", "=", sql<string>`any(${arrayOf([...new Set(hashes)])})`);

const textsIn = (rows: { hash: string; markdown: string }[]) =>
  new Map(rows.map(({ hash, markdown }) => [hash, markdown]));

/** The id that git gives a file with this content. */
export function blobOid(content: string | Buffer): string {
  const bytes = Buffer.from(content);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
