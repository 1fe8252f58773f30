import { gunzipSync, gzipSync } from "node:zlib";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Reading } from "../documents/reading.js";
import { hashOf } from "../store/bodies.js";
import type { Ctx } from "../trpc.js";

/** Characters of the longest text whose document is kept: copying a larger one would keep others waiting. */
const LONGEST = 100_000;

/** Bytes that an entry takes besides, about. */
const ENTRY = 500;

interface Kept {
  /** Its JSON, compressed: a fourth of the memory. */
  packed: Buffer;
}

/**
 * Returns the rich document of a text, read once for the same text with the same targets and kept as JSON: to read that
 * costs a twentieth of reading markdown. Each caller gets a document of its own. What is evaluated is never kept, for it
 * may depend on the time or the reader. Rejects as the work does, and keeps nothing then.
 */
export async function readDocumentOnce(ctx: Ctx, reading: Reading): Promise<JSONDocument> {
  const { markdown, targets, evaluation, uncommented = false } = reading;
  if (evaluation || markdown.length > LONGEST) return ctx.work.run("readDocument", reading);
  const key = `document ${hashOf(JSON.stringify([markdown, targets && [...targets], uncommented]))}`;
  const kept = ctx.cache.get(key)?.value as Kept | undefined;
  if (kept) return JSON.parse(gunzipSync(kept.packed).toString("utf8"));
  const document = await ctx.work.run("readDocument", reading);
  const packed = gzipSync(JSON.stringify(document), { level: 1 });
  const value: Kept = { packed };
  ctx.cache.set(key, { revision: "", value }, { size: packed.length + 2 * key.length + ENTRY });
  return document;
}
