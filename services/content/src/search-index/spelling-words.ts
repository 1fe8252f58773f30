import { sql } from "kysely";
import { batchesOf } from "../store/batches.js";
import type { Ctx } from "../trpc.js";
import { keysOf } from "./spelling-keys.js";

const BATCH = 2_000;

/** Keeps words that texts of a space hold, so that typing mistakes can be corrected to them. */
export async function keepWords({ db }: Pick<Ctx, "db">, space: string, words: string[]): Promise<void> {
  for await (const batch of batchesOf(words, BATCH)) {
    const rows = batch.flatMap((word) => keysOf(word).map((key) => [key, word] as const));
    // In the order of the index, so that each of its pages is touched once.
    rows.sort(([one], [other]) => (one < other ? -1 : 1));
    await sql`insert into search_word (space, key, word)
      select ${space}, * from unnest(${rows.map(([key]) => key)}::text[], ${rows.map(([, word]) => word)}::text[])
      on conflict do nothing`.execute(db);
  }
}
