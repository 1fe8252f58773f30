import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import { isFaithful } from "../../documents/segments.js";
import { hashOf } from "../../store/bodies.js";
import type { TranslationRequest, Translator } from "../../translators/translator.js";
import type { Ctx } from "../../trpc.js";

/** Segments and characters of one request to a provider. */
const MOST_SEGMENTS = 40;
const MOST_CHARACTERS = 6_000;

interface Run {
  translation: string;
  number: number;
  translator: Translator;
  /** What the translation of every segment depends on. */
  terms: Omit<TranslationRequest, "texts">;
  signal: AbortSignal;
}

/** The segments of a translation, those that were translated before and those that a provider has to be asked for. */
export interface Memory {
  /** Translates segments: each is sent once, and kept at once. What a provider does not get right stays as it is. */
  translate(segments: string[]): Promise<Map<string, string>>;
  /** What was sent so far. */
  readonly sent: ReadonlySet<string>;
}

/** Opens the memory of a translation for a run. */
export function openMemory(ctx: Ctx, run: Run): Memory {
  const context = hashOf(JSON.stringify(run.terms));
  const keyOf = (segment: string) => hashOf(`${context} ${segment}`);
  const sent = new Set<string>();

  async function known(segments: string[]): Promise<Map<string, string>> {
    const keys = new Map(segments.map((segment) => [keyOf(segment), segment]));
    const rows = await ctx.db
      .updateTable("translated_segment")
      .set({ run: run.number })
      .where("translation", "=", run.translation)
      .where("hash", "=", anyOf([...keys.keys()]))
      .returning(["hash", "text"])
      .execute();
    return new Map(rows.map(({ hash, text }) => [keys.get(hash)!, text]));
  }

  async function keep(translated: Map<string, string>): Promise<void> {
    const rows = [...translated].map(([segment, text]) => ({ hash: keyOf(segment), text }));
    await sql`insert into translated_segment (translation, hash, text, run)
      select ${run.translation}, s.hash, s.text, ${run.number}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (hash text, text text)
      where exists (select 1 from translation where id = ${run.translation})
      on conflict (translation, hash) do update set text = excluded.text, run = excluded.run`.execute(ctx.db);
  }

  async function ask(segments: string[]): Promise<Map<string, string>> {
    const { translator, terms, signal } = run;
    const texts = segments.join("\n").toLowerCase();
    // A prompt holds the terms that matter to its texts, not all of them.
    const glossary = terms.glossary.filter(([term]) => texts.includes(term.toLowerCase()));
    const translated = await translator.translate({ ...terms, glossary, texts: segments }, signal);
    for (const segment of segments) sent.add(segment);
    return new Map(
      segments.flatMap((segment, at): [string, string][] =>
        isSound(segment, translated[at]!) ? [[segment, translated[at]!]] : [],
      ),
    );
  }

  return {
    sent,
    async translate(segments) {
      const wanted = [...new Set(segments)];
      const translated = await known(wanted);
      const open = wanted.filter((segment) => !translated.has(segment));
      for (const batch of batchesOf(open)) {
        run.signal.throwIfAborted();
        const made = await ask(batch);
        const wrong = batch.filter((segment) => !made.has(segment));
        // Alone, a segment is more often got right.
        for (const segment of wrong)
          if (batch.length > 1) for (const [key, text] of await ask([segment])) made.set(key, text);
        await keep(made);
        for (const [segment, text] of made) translated.set(segment, text);
      }
      return translated;
    },
  };
}

const isSound = (segment: string, translation: string) =>
  translation.trim() !== "" && !translation.includes("\0") && isFaithful(segment, translation);

function batchesOf(segments: string[]): string[][] {
  const batches: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const segment of segments) {
    if (length + segment.length > MOST_CHARACTERS || batches.at(-1)!.length >= MOST_SEGMENTS) {
      batches.push([]);
      length = 0;
    }
    batches.at(-1)!.push(segment);
    length += segment.length;
  }
  return batches;
}

/** Forgets the segments that a run did not use. */
export const forgetUnused = ({ db }: Ctx, translation: string, run: number) =>
  db.deleteFrom("translated_segment").where("translation", "=", translation).where("run", "<", run).execute();
