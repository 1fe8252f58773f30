import { describe } from "@octavo/shared/errors";
import type { FilledFile } from "../content/content.js";
import type { Ctx } from "../trpc.js";
import type { Computing } from "./rules.js";
import { SentFile } from "./schema.js";

/** Files that one source may have, their bytes, and how long it may take until all are fetched. */
const MOST_FILES = 50;
const MOST_BYTES = 200 * 1024 * 1024;
const MOST_MS = 120_000;

/** Refusals that are about a file; all others are about content itself. */
const OF_FILE = new Set<string>(["BAD_REQUEST", "PAYLOAD_TOO_LARGE"]);

interface Files {
  files: FilledFile[];
  /** Which files are left out, each with the reason. */
  missing: string[];
}

/**
 * Returns the files of a source, fetched by content one after the other, and which cannot be had: these do not keep its
 * pages from being shown. Throws what is wrong with content itself, such as 404 for a space that is gone.
 */
export async function filesOf(
  ctx: Ctx,
  { name: integration, space, organization, installation }: Computing,
  sent: unknown[],
  signal: AbortSignal,
): Promise<Files> {
  const until = ctx.clock().getTime() + MOST_MS;
  const by = { integration, installation, organization };
  const files: FilledFile[] = [];
  const missing: string[] = [];
  let bytes = 0;
  for (const [at, one] of sent.slice(0, MOST_FILES).entries()) {
    signal.throwIfAborted();
    const parsed = SentFile.safeParse(one);
    if (!parsed.success) {
      missing.push(`files.${at}: ${parsed.error.issues[0]?.path.join(".") || "it"} is not as it has to be`);
      continue;
    }
    const { id, name, ...announced } = parsed.data;
    const problem = problemOf(announced.size);
    const received = problem ?? (await receive({ name, ...announced }));
    if (typeof received === "string") missing.push(`${name}: ${received}`);
    else {
      bytes += received.props.size;
      files.push({ id, name, ...received });
    }
  }
  const more = sent.length - MOST_FILES;
  if (more > 0) missing.push(`${more} more than ${MOST_FILES} files`);
  return { files, missing };

  function problemOf(size: number): string | undefined {
    if (bytes + size > MOST_BYTES) return `the files of the source have more than ${MOST_BYTES} bytes`;
    return ctx.clock().getTime() > until ? `the files took more than ${MOST_MS / 1000} s` : undefined;
  }

  async function receive(file: { name: string; downloadURL: string; size: number; contentType: string }) {
    try {
      return await ctx.content.receiveFile(ctx, { spaceId: space, by, file });
    } catch (error) {
      const { code, message } = describe(error);
      if (!OF_FILE.has(code)) throw error;
      return message;
    }
  }
}
