import { extname } from "node:path";
import type { Readable } from "node:stream";
import { EgressError } from "@octavo/shared/egress/client";
import { refuse } from "@octavo/shared/errors";
import { fileTypeFromBuffer } from "file-type";
import { imageSize } from "image-size";
import type { FileProps } from "../db/tables/entries.js";
import type { Ctx } from "../trpc.js";
import { announce } from "./contents.js";

const BY_EXTENSION: Record<string, string> = {
  ".css": "text/css",
  ".csv": "text/csv",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
};

/** Most bytes of one file. Source: the limits of the interface. */
export const MAX_FILE = 100 * 1024 * 1024;

export interface Received {
  hash: string;
  props: FileProps;
}

interface Receiving {
  name: string;
  /** Most bytes. */
  limit?: number;
  /** Refuses what is not kept. */
  check?: (file: Received) => void;
}

/**
 * Keeps a file's content and finds out what it is. The response is what an entry of kind `file` needs. It happens before
 * the transaction that makes the entry; a content that no entry names in the end is collected. What `check` refuses is
 * not kept.
 */
export async function receive(
  ctx: Pick<Ctx, "storage" | "db" | "clock">,
  content: Readable | Buffer,
  { name, limit = MAX_FILE, check }: Receiving,
): Promise<Received> {
  const staged = await ctx.storage.stage(content, limit);
  try {
    const { hash, size, head } = staged;
    const contentType = await typeOf(head, name);
    const props = { contentType, size, ...(contentType.startsWith("image/") && dimensionsOf(head)) };
    check?.({ hash, props });
    await announce(ctx, hash);
    await ctx.storage.keep(staged);
    return { hash, props };
  } finally {
    await ctx.storage.discard(staged);
  }
}

/** What the bytes say comes first; a text is what its name says. */
async function typeOf(head: Buffer, name: string): Promise<string> {
  const sniffed = await fileTypeFromBuffer(head);
  const byExtension = BY_EXTENSION[extname(name).toLowerCase()];
  if (sniffed && !(sniffed.mime === "application/xml" && byExtension)) return sniffed.mime;
  if (head.includes(0)) return "application/octet-stream";
  return byExtension ?? "text/plain";
}

function dimensionsOf(head: Buffer): Pick<FileProps, "dimensions"> {
  try {
    const { width, height } = imageSize(head);
    return width && height ? { dimensions: { width, height } } : {};
  } catch {
    return {};
  }
}

/** Keeps a file that somebody names by its address: 400 when it cannot be had, 413 when it is too large. */
export async function receiveFrom(
  ctx: Pick<Ctx, "egress" | "signal" | "storage" | "db" | "clock">,
  url: string,
  { name, limit = MAX_FILE, check }: Receiving,
) {
  try {
    const response = await ctx.egress.fetch(url, {
      maxBytes: limit,
      timeoutMs: 60_000,
      signal: ctx.signal,
    });
    if (response.status !== 200) {
      response.close();
      refuse("BAD_REQUEST", `File: ${response.status} from the address of a file`);
    }
    return await receive(ctx, response.body, { name, limit, check });
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause;
    const { reason, message } = cause;
    const code = reason === "egress_too_large" ? "PAYLOAD_TOO_LARGE" : "BAD_REQUEST";
    refuse(code, `File: ${message}`, { reason, cause });
  }
}
