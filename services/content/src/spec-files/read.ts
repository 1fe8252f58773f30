import { WorkFailed } from "@octavo/shared/workers/pool";
import { entryById } from "../store/entries.js";
import { type Entry, type FileEntry, ofKind, type ReadAt } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

/** Bytes of a file that is read as a specification. */
const LARGEST = 2 * 1024 * 1024;
/** Names of files that may be specifications of APIs. */
const NAMES = /\.(?:ya?ml|json)$/i;

/** Whether a file may be a specification, by its name and size. */
export const maySpecify = (entry: Pick<Entry, "kind" | "title" | "props">): entry is FileEntry =>
  entry.kind === "file" && NAMES.test(entry.title) && (entry as FileEntry).props.size <= LARGEST;

/** A file of a version by what it holds; undefined when there is none, or one that is too large for a specification. */
export async function specFile(ctx: Ctx, version: ReadAt, id: string): Promise<string | undefined> {
  const file = ofKind(await entryById(ctx, version, id), "file");
  return file && file.props.size <= LARGEST ? file.body : undefined;
}

/**
 * The OpenAPI document that a file holds, as JSON; undefined when it holds none. It need not be valid: files of
 * repositories often lack their version, or refer to what is gone. What became of it is kept: the next page that shows an
 * operation of it does not read it again, and a document with paths is stored, since to read YAML takes some fifteen times
 * as long.
 */
export async function specIn(ctx: Ctx, content: string): Promise<string | undefined> {
  const key = `specification in ${content}`;
  const known = ctx.cache.get(key)?.value as { document?: string } | undefined;
  if (known) return known.document;
  const value = { document: (await queries.documentOf(ctx, content)) ?? (await read(ctx, content)) };
  ctx.cache.set(key, { revision: content, value }, { size: 100 + 2 * (value.document?.length ?? 0) });
  return value.document;
}

async function read(ctx: Ctx, content: string): Promise<string | undefined> {
  const opened = await ctx.storage.open(content);
  if (!opened) return undefined;
  const text = Buffer.concat(await opened.toArray()).toString();
  try {
    const document = await ctx.specReader.readAsWritten(text);
    if (document?.includes('"paths":{')) await queries.keepDocument(ctx, content, document);
    return document;
  } catch (error) {
    if (error instanceof WorkFailed) return undefined;
    throw error;
  }
}
