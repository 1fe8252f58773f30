import { extname } from "node:path";
import type { Readable } from "node:stream";
import { refuse } from "@octavo/shared/errors";
import { fileTypeFromBuffer } from "file-type";
import { imageSize } from "image-size";
import type { FileProps } from "../content/view.js";
import type { Ctx } from "../trpc.js";

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

/** Keeps a file's content and finds out what it is. The answer is what an entry of kind `file` needs. */
export async function receive(
  { storage }: Pick<Ctx, "storage">,
  content: Readable | Buffer,
  { name, limit = MAX_FILE }: { name: string; limit?: number },
): Promise<{ hash: string; props: FileProps }> {
  const { hash, size, head } = await storage.put(content, limit);
  const contentType = await typeOf(head, name);
  return { hash, props: { contentType, size, ...(contentType.startsWith("image/") && dimensionsOf(head)) } };
}

/** What the bytes say comes first; a text is what its name says. */
async function typeOf(head: Buffer, name: string): Promise<string> {
  const sniffed = await fileTypeFromBuffer(head);
  const named = BY_EXTENSION[extname(name).toLowerCase()];
  if (sniffed && !(sniffed.mime === "application/xml" && named)) return sniffed.mime;
  if (head.includes(0)) return "application/octet-stream";
  return named ?? "text/plain";
}

function dimensionsOf(head: Buffer): Pick<FileProps, "dimensions"> {
  try {
    const { width, height } = imageSize(head);
    return width && height ? { dimensions: { width, height } } : {};
  } catch {
    return {};
  }
}

/** Fetches a file that a user named by its address; 400 when it cannot be had. */
export async function fetchFile(ctx: Pick<Ctx, "egress" | "signal">, url: string): Promise<Readable> {
  try {
    const response = await ctx.egress.fetch(url, {
      maxBytes: MAX_FILE,
      timeoutMs: 60_000,
      signal: ctx.signal,
    });
    if (response.status !== 200)
      refuse("BAD_REQUEST", `changes: ${response.status} from the address of a file`);
    return response.body;
  } catch (cause) {
    if (cause instanceof Error && "reason" in cause) {
      refuse("BAD_REQUEST", `changes: ${cause.message}`, { reason: String(cause.reason), cause });
    }
    throw cause;
  }
}
