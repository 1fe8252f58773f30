import { gunzipSync, gzip } from "node:zlib";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Reading } from "../documents/reading.js";
import { hashOf } from "../store/bodies.js";
import type { Ctx } from "../trpc.js";

/** Characters of the longest text whose document is kept: copying a larger one would keep others waiting. */
const LONGEST = 100_000;
/** The same where only its JSON is handed on: unpacking that takes some milliseconds. */
const LONGEST_JSON = 300_000;

/** Bytes that an entry takes besides, about. */
const ENTRY = 500;

/** The JSON of a document; compressed, which is a fourth of the memory, as soon as somebody has come to that. */
type Kept = { json: string } | { packed: Buffer };

/**
 * Returns the rich document of a text, read once for the same text with the same targets and kept as JSON: to read that
 * costs a twentieth of reading markdown. Each caller gets a document of its own. What is evaluated is never kept, for it
 * may depend on the time or the reader. Rejects as the work does, and keeps nothing then.
 */
export async function readDocumentOnce(ctx: Ctx, reading: Reading): Promise<JSONDocument> {
  const key = keyOf(reading);
  const kept = key && keptAt(ctx, key);
  if (kept) return JSON.parse(kept);
  const document = await ctx.work.run("readDocument", reading);
  if (key) keep(ctx, key, JSON.stringify(document));
  return document;
}

/** The JSON of what `readDocumentOnce` returns, for whoever hands it on: nothing is made of it here. */
export async function readJsonOnce(ctx: Ctx, reading: Reading): Promise<string> {
  const key = keyOf(reading, LONGEST_JSON);
  const kept = key && keptAt(ctx, key);
  if (kept) return kept;
  const json = await ctx.work.run("readJson", reading);
  if (key) keep(ctx, key, json);
  return json;
}

/** What the document of a text is kept by; undefined when it is not kept. */
function keyOf(reading: Reading, longest = LONGEST): string | undefined {
  const { markdown, targets, evaluation, uncommented = false, unkeyed = false } = reading;
  if (evaluation || markdown.length > longest) return undefined;
  return `document ${hashOf(JSON.stringify([markdown, targets && [...targets], uncommented, unkeyed]))}`;
}

function keptAt({ cache }: Ctx, key: string): string | undefined {
  const kept = cache.get(key)?.value as Kept | undefined;
  return kept && ("json" in kept ? kept.json : gunzipSync(kept.packed).toString("utf8"));
}

/** Keeps JSON, and compresses it when it was sent, where nobody waits for that. */
function keep({ cache }: Ctx, key: string, json: string): void {
  const set = (value: Kept, bytes: number) =>
    cache.set(key, { revision: "", value }, { size: bytes + 2 * key.length + ENTRY });
  const value = { json };
  set(value, 2 * json.length);
  const pack = () =>
    gzip(json, { level: 1 }, (error, packed) => {
      if (!error && cache.peek(key)?.value === value) set({ packed }, packed.length);
    });
  setImmediate(pack);
}
