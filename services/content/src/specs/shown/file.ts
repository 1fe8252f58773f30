import { WorkFailed } from "@octavo/shared/workers/pool";
import { entryById } from "../../store/entries.js";
import { ofKind, type ReadAt } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** Bytes of a file that is read as a specification. */
const LARGEST = 2 * 1024 * 1024;

/** A file of a version by what it holds; undefined when there is none, or one that is too large for a specification. */
export async function specFile(ctx: Ctx, version: ReadAt, id: string): Promise<string | undefined> {
  const file = ofKind(await entryById(ctx, version, id), "file");
  return file && file.props.size <= LARGEST ? file.body : undefined;
}

/**
 * The OpenAPI document that a file holds, as JSON; undefined when it holds none. It need not be valid: files of
 * repositories often lack their version, or refer to what is gone. What became of it is kept: the next page that shows an
 * operation of it does not read it again.
 */
export async function specIn(ctx: Ctx, content: string): Promise<string | undefined> {
  const key = `specification in ${content}`;
  const known = ctx.cache.get(key)?.value as { document?: string } | undefined;
  const value = known ?? { document: await read(ctx, content) };
  if (!known)
    ctx.cache.set(key, { revision: content, value }, { size: 100 + 2 * (value.document?.length ?? 0) });
  return value.document;
}

async function read(ctx: Ctx, content: string): Promise<string | undefined> {
  const opened = await ctx.storage.open(content);
  if (!opened) return undefined;
  const text = Buffer.concat(await opened.toArray()).toString();
  try {
    return await ctx.specReader.readAsWritten(text);
  } catch (error) {
    if (error instanceof WorkFailed) return undefined;
    throw error;
  }
}
