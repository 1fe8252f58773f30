import { sql } from "kysely";
import { propsOfSource } from "../../documents/properties.js";
import { encodeText } from "../../documents/segments.js";
import { bodiesOf, hashOf, keepBodies, textIn } from "../../store/bodies.js";
import { type Entry, entriesOf, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { RunError } from "./failure.js";
import type { Memory } from "./memory.js";

/** Entries of a space that is translated. */
const MOST_ENTRIES = 20_000;
/** Pages whose texts are in memory at a time. */
const BATCH = 25;

/** Reads all entries of a version; `TOO_LARGE` when they are too many. */
export async function entriesAt(ctx: Ctx, at: ReadPoint): Promise<Entry[]> {
  const { rows } =
    await sql<Entry>`select * from (${entriesOf(at, sql`true`)}) e limit ${MOST_ENTRIES + 1}`.execute(ctx.db);
  if (rows.length > MOST_ENTRIES)
    throw new RunError(
      "TOO_LARGE",
      `A space with more than ${MOST_ENTRIES} pages and files is not translated`,
    );
  return rows;
}

interface Translating {
  memory: Memory;
  /** The space that texts are read of, and the one that translated ones are kept for. */
  from: string;
  to: string;
  /** Is called after each batch. */
  progress: () => void;
}

export interface Translated {
  entries: Entry[];
  /** Pages of which something was sent. */
  pages: number;
}

/** Translates entries: texts block by block, titles and descriptions; files and variables stay what they are. */
export async function translateEntries(
  ctx: Ctx,
  entries: Entry[],
  { memory, from, to, progress }: Translating,
): Promise<Translated> {
  const made: Translated = { entries: [], pages: 0 };
  for (let at = 0; at < entries.length; at += BATCH) {
    progress();
    const batch = entries.slice(at, at + BATCH);
    const texts = await bodiesOf(
      ctx,
      from,
      batch.flatMap((entry) => (hasText(entry) ? [entry.body!] : [])),
    );
    const kept: string[] = [];
    for (const entry of batch) {
      const before = memory.sent.size;
      if (hasText(entry)) {
        const { translated, text } = await translateText(ctx, memory, entry, textIn(texts, entry.body!));
        made.entries.push(translated);
        kept.push(text);
      } else made.entries.push(await translateTitle(memory, entry));
      if (memory.sent.size > before) made.pages += 1;
    }
    await keepBodies(ctx, to, kept);
  }
  return made;
}

const hasText = (entry: Entry) => (entry.kind === "page" || entry.kind === "reusable") && entry.body !== null;

async function translateText(ctx: Ctx, memory: Memory, entry: Entry, markdown: string) {
  const segments = await ctx.work.run("segmentsIn", markdown);
  const known = await memory.translate(segments);
  const translations = segments.map((segment) => known.get(segment) ?? segment);
  const { text, source } = await ctx.work.run("translatedSource", { markdown, translations });
  const body = hashOf(text);
  const git_oid = body === entry.body ? entry.git_oid : null;
  if (entry.kind !== "page" || entry.props.type !== "document")
    return { translated: { ...entry, body, git_oid } as Entry, text };
  const { description } = propsOfSource(source, () => undefined);
  const props = { ...entry.props, ...(description !== undefined && { description }) };
  const title = await titleOf(memory, entry, source.title);
  return { translated: { ...entry, title, body, git_oid, props } as Entry, text };
}

/** The title in the text, if the page had that of its text before; else the page's own, translated. */
async function titleOf(memory: Memory, { title }: Entry, written: string | undefined): Promise<string> {
  const translated = await translatedTitle(memory, title);
  return translated === title ? (written ?? title) : translated;
}

async function translateTitle(memory: Memory, entry: Entry): Promise<Entry> {
  if (entry.kind !== "page") return entry;
  return { ...entry, title: await translatedTitle(memory, entry.title) };
}

async function translatedTitle(memory: Memory, title: string): Promise<string> {
  if (!/\p{L}/u.test(title)) return title;
  const segment = encodeText(title);
  const translation = (await memory.translate([segment])).get(segment) ?? segment;
  return decoded(translation);
}

const decoded = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").replace(/\s+/g, " ").trim();
