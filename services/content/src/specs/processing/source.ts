import type { SourceFile } from "../../openapi-documents/bundle.js";
import type { Ctx } from "../../trpc.js";
import { SourceError } from "./failure.js";

/** Limits of one document: files, bytes of all of them, and how far one refers to the next. */
const MOST_FILES = 200;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ROUNDS = 20;
/** All files of a document are fetched in this time, each in half of it. */
const FETCH_MS = 60_000;
/** Files that are fetched at a time. */
const AT_ONCE = 5;

export interface SpecSource {
  source_url: string | null;
  source_text: string | null;
}

/**
 * Reads a source with all files that it refers to, as one document. Throws `SourceError`, `EgressError` or `WorkFailed`
 * when it cannot be had.
 */
export async function readSource(
  ctx: Pick<Ctx, "egress" | "specReader">,
  { source_url, source_text }: SpecSource,
  stopping: AbortSignal,
): Promise<{ document: string; hash: string }> {
  const deadline = AbortSignal.timeout(FETCH_MS);
  const signal = AbortSignal.any([stopping, deadline]);
  const budget = { bytes: MOST_BYTES };
  const fetchAll = (urls: string[]) => inTurns(urls, (url) => fetchFile(ctx, url, budget, signal));
  try {
    const files =
      source_url === null
        ? [{ url: "", base: "", text: source_text ?? "" }]
        : await fetchAll([new URL(source_url).href.replace(/#.*$/, "")]);
    for (let round = 0; round <= MOST_ROUNDS; round++) {
      const reading = await ctx.specReader.read(files);
      if ("problems" in reading) throw new SourceError({ code: "PARSE_ERROR", errors: reading.problems });
      if (!("missing" in reading)) return reading;
      if (files.length + reading.missing.length > MOST_FILES) break;
      files.push(...(await fetchAll(reading.missing)));
    }
  } catch (error) {
    if (!deadline.aborted || stopping.aborted) throw error;
    const message = `The files of the document took longer than ${FETCH_MS / 1000} seconds`;
    throw new SourceError({ code: "FETCH_TIMEOUT", errors: [{ message }] });
  }
  const message = `The document refers to more than ${MOST_FILES} files, or over more than ${MOST_ROUNDS} of them`;
  throw new SourceError({ code: "PARSE_ERROR", errors: [{ message, code: "too-large" }] });
}

async function fetchFile(
  { egress }: Pick<Ctx, "egress">,
  url: string,
  budget: { bytes: number },
  signal: AbortSignal,
): Promise<SourceFile> {
  const headers = { accept: "application/json, application/yaml, text/yaml, */*;q=0.5" };
  const limits = { maxBytes: Math.max(1, budget.bytes), timeoutMs: FETCH_MS / 2, signal };
  const response = await egress.fetch(url, { headers, ...limits });
  if (response.status !== 200) {
    response.close();
    const message = `${new URL(url).origin}: responded with ${response.status}`;
    throw new SourceError({ code: "FETCH_ERROR", errors: [{ message }] });
  }
  const bytes = await response.bytes();
  budget.bytes -= bytes.length;
  return { url, base: response.url, text: bytes.toString("utf8") };
}

/** Does something with each, a few at a time; returns what came of them in their order. */
async function inTurns<Item, Made>(items: Item[], work: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    made.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return made;
}
