import { ask } from "@octavo/shared/database/posted";
import { sql } from "kysely";
import { batchesOf } from "../store/batches.js";
import type { Ctx } from "../trpc.js";
import { keysOf } from "./spelling-keys.js";

const BATCH = 2_000;
/** Words that are remembered to be kept, of all spaces. */
const MOST_KNOWN = 50_000;
/** Words of spaces that others have committed: what is kept once stays. */
const known = new Set<string>();

/**
 * Keeps words that texts of a space hold, so that typing mistakes can be corrected to them. Most of them are kept
 * already: those that were found to be are not asked for again.
 */
export async function keepWords({ db }: Pick<Ctx, "db">, space: string, words: string[]): Promise<void> {
  const nameOf = (word: string) => `${space} ${word}`;
  const unknown = words.filter((word) => !known.has(nameOf(word)));
  for await (const batch of batchesOf(unknown, BATCH)) {
    const rows = batch.flatMap((word) =>
      keysOf(word).map((key, part) => ({ key, word, isFirst: part === 0 })),
    );
    // In the order of the index, so that each of its pages is touched once.
    rows.sort((one, other) => (one.key < other.key ? -1 : 1));
    const first = rows.filter(({ isFirst }) => isFirst);
    const columns = (of: typeof rows) =>
      sql`${of.map(({ key }) => key)}::text[], ${of.map(({ word }) => word)}::text[]`;
    // The keys of a word are kept together, so one of them tells of all. What this transaction kept may be taken back.
    const kept = sql<{ word: string; committed: boolean }>`with there as materialized (
        select w.word, k.committed from unnest(${columns(first)}) as w (key, word)
        cross join lateral (
          select xmin <> pg_current_xact_id()::xid as committed from search_word k
          where k.space = ${space} and k.key = w.key and k.word = w.word offset 0) k),
      kept as (
        insert into search_word (space, key, word)
        select ${space}, key, word from unnest(${columns(rows)}) as w (key, word)
        where word not in (select word from there) on conflict do nothing)
      select word, committed from there`;
    const read = await ask(db, kept);
    // Nobody waits for it; where it fails, so does the transaction.
    void read().then(
      (there) => remember(there.filter(({ committed }) => committed).map(({ word }) => nameOf(word))),
      noop,
    );
  }
}

const noop = () => undefined;

function remember(names: string[]) {
  if (known.size + names.length > MOST_KNOWN) known.clear();
  for (const name of names) known.add(name);
}
