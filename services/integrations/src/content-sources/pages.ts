import { refuse } from "@octavo/shared/errors";
import type { FilledPage } from "../content/content.js";
import type { Ctx } from "../trpc.js";
import { type Computing, computeDocument } from "./rules.js";
import { SentPage } from "./schema.js";

/** What one source may make, and how long its script may take for all of it. */
const MOST_PAGES = 300;
const MOST_BYTES = 4 * 1024 * 1024;
const DEEPEST = 8;
const MOST_MS = 120_000;

interface Source {
  type: string;
  props?: Record<string, unknown>;
}

interface Sent {
  /** Pages as the script returned them. */
  sent: unknown[];
  /** What made them. */
  source: Source;
  dependencies: Record<string, unknown>;
  signal: AbortSignal;
}

/**
 * Returns the pages that a source made, each with its document, which its own source computes; what is no page is left
 * out. 502 for more than a source may make, and as `computeDocument` does.
 */
export async function pagesOf(
  ctx: Ctx,
  computing: Computing,
  { sent, source, dependencies, signal }: Sent,
): Promise<FilledPage[]> {
  const until = ctx.clock().getTime() + MOST_MS;
  const left = { pages: MOST_PAGES, bytes: MOST_BYTES };
  return filled(parsed(sent, 1));

  function parsed(pages: unknown[], depth: number): Parsed[] {
    if (depth > DEEPEST) tooMuch(`pages on more than ${DEEPEST} levels`);
    return pages.flatMap((one) => {
      const page = SentPage.safeParse(one).data;
      if (!page) return [];
      left.pages -= 1;
      if (left.pages < 0) tooMuch(`more than ${MOST_PAGES} pages`);
      const { pages: below = [], ...shown } = page;
      return [{ shown, below: parsed(below, depth + 1) }];
    });
  }

  async function filled(pages: Parsed[]): Promise<FilledPage[]> {
    const made: FilledPage[] = [];
    for (const { shown, below } of pages) {
      signal.throwIfAborted();
      if (ctx.clock().getTime() > until) tooMuch(`nothing whole within ${MOST_MS / 1000} s`);
      const { computed, ...rest } = shown;
      const own = computed?.type.startsWith(`integration:${computing.name}:`) ? computed : undefined;
      const text = own ? await textOf(own) : {};
      left.bytes -= Buffer.byteLength(JSON.stringify({ ...rest, ...text }));
      if (left.bytes < 0) tooMuch(`more than ${MOST_BYTES} bytes`);
      made.push({ ...rest, ...text, computed: own ?? source, pages: await filled(below) });
    }
    return made;
  }

  function textOf({ type, props = {} }: Source) {
    return computeDocument(ctx, computing, { sourceId: type.split(":")[2] ?? "", props, dependencies });
  }
}

interface Parsed {
  shown: Omit<ReturnType<typeof SentPage.parse>, "pages">;
  below: Parsed[];
}

function tooMuch(what: string): never {
  refuse("BAD_GATEWAY", `Content source: made ${what}`, { reason: "integration_failed" });
}
