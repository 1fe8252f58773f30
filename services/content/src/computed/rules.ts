import { isDeepStrictEqual } from "node:util";
import { ComputedAsked } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { inTurns } from "@octavo/shared/workers/yield";
import { downloadOf } from "../files/download-url.js";
import { textAsDocument } from "../pages/rendering.js";
import { fileView, pageTree } from "../pages/view.js";
import { allowIn } from "../permissions.js";
import { type ResolvedTarget, resolveTarget } from "../revisions/target.js";
import type { Call, Ctx } from "../trpc.js";
import { computedPages, computePages } from "./compute.js";
import { keyOf } from "./dependencies.js";
import { filesAt } from "./files.js";
import { entriesOf, type Made, textOf } from "./made.js";
import { insertAsk, latestResults, otherAsks } from "./results.js";
import type { ComputeDocument, ComputeRevision } from "./schema.js";
import { type ComputedSource, isOfIntegration, OPENAPI } from "./source.js";

// What a source makes at present, for whoever shows it by themselves. Pages that declare one are read like all others.

/**
 * Returns the pages and files that a source makes; 404 for a space out of reach or a source that depends on what is not
 * there, 403 for who may not see specifications of the organization, 503 while an integration computes them, 429 where too
 * many sources were asked for.
 */
export async function revision({ ctx, input }: Call<typeof ComputeRevision>) {
  const { spaceId, source } = input;
  const { scope, pages } = await computed(ctx, spaceId, source);
  const files = isOfIntegration(source) ? await filesAt(ctx, scope.space, [keyOf(source)], null) : [];
  const entries = entriesOf(pages, { seed: input.seed, taken: [] });
  const options = { urls: ctx.urls, space: scope.space, metadata: false };
  return {
    pages: await inTurns(pageTree(entries, options)),
    files: files.map((file) => fileView(file, false, downloadOf(ctx, scope))),
    reusableContents: [],
  };
}

/**
 * Returns the document of one page that a source makes; refuses as `revision` does (403, 404, 429, 503), and with 404 for
 * a page that it has not, or that no integration has computed yet.
 */
export async function document({ ctx, input }: Call<typeof ComputeDocument>) {
  const { scope, pages } = await pagesWith(ctx, input);
  const named = found(pageBy(pages, input.source), "Page");
  const { version } = scope;
  return textAsDocument(ctx, scope, { version, markdown: textOf(named), evaluated: "false" });
}

/** The pages among which the one is whose text a source makes. */
async function pagesWith(ctx: Ctx, { spaceId, source }: Call<typeof ComputeDocument>["input"]) {
  if (source.type !== OPENAPI) {
    const scope = await resolveTarget(ctx, { spaceId });
    allowIn(ctx, scope.organization, "openAPISpec.view");
    const pages = [];
    for (const result of await latestResults(ctx, scope.space))
      pages.push(...((await computedPages(ctx, result)) ?? []));
    return { scope, pages };
  }
  const { type, props, dependencies } = source;
  const { doc, page } = props as { doc?: unknown; page?: unknown };
  const isBelow = doc === "info" || (typeof page === "string" && page.includes("/"));
  const asked = isBelow ? { grouping: "by-operation" } : {};
  return computed(ctx, spaceId, { type, dependencies, props: { ...asked, models: true } });
}

/** The page whose text a source makes. */
function pageBy(pages: Made[], { type, props = {} }: ComputedSource): Made | undefined {
  const open = [...pages];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.computed.type === type && isDeepStrictEqual(next.computed.props ?? {}, props)) return next;
    open.push(...next.pages);
  }
  return undefined;
}

async function computed(ctx: Ctx, spaceId: string, source: ComputedSource) {
  const scope: ResolvedTarget = await resolveTarget(ctx, { spaceId });
  const { space, organization } = scope;
  allowIn(ctx, organization, "openAPISpec.view");
  const pages = await computePages(ctx, { space, organization, time: null }, source);
  if (!pages && isOfIntegration(source)) return askFor(ctx, scope, source);
  return { scope, pages: found(pages, "OpenAPI specification") };
}

/** Sources of a space that may be asked for in a day, beside those that pages declare. */
const MOST_ASKED = 20;

/** Has an integration compute a source, and refuses until it has. */
async function askFor(
  ctx: Ctx,
  { space, organization }: ResolvedTarget,
  source: ComputedSource,
): Promise<never> {
  await transact(ctx, async (ctx) => {
    const key = keyOf(source);
    if ((await otherAsks(ctx, space, key)) >= MOST_ASKED)
      refuse("TOO_MANY_REQUESTS", "Computed content: too many sources were asked for in this space today");
    await insertAsk(ctx, space, key, source);
    await emit(ctx, ComputedAsked, space, { space, organization });
  });
  refuse("SERVICE_UNAVAILABLE", "Computed content: no integration has computed it yet", {
    reason: "computed_content_pending",
    headers: { "retry-after": "2" },
  });
}
