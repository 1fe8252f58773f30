import { found } from "@octavo/shared/errors";
import { inTurns } from "@octavo/shared/workers/yield";
import { textAsDocument } from "../pages/rendering.js";
import { pageTree } from "../pages/view.js";
import { allowIn } from "../permissions.js";
import { type ResolvedTarget, resolveTarget } from "../revisions/target.js";
import type { Call, Ctx } from "../trpc.js";
import { computePages } from "./compute.js";
import { entriesOf, type Made, textOf } from "./made.js";
import type { ComputeDocument, ComputeRevision } from "./schema.js";
import type { ComputedSource } from "./source.js";

// What a source makes at present, for whoever shows it by themselves. Pages that declare one are read like all others.

/**
 * Returns the pages that a source makes; 404 for a space out of reach or a source that depends on what is not there, 403
 * for who may not see specifications of the organization.
 */
export async function revision({ ctx, input }: Call<typeof ComputeRevision>) {
  const { scope, pages } = await computed(ctx, input.spaceId, input.source);
  const entries = entriesOf(pages, { seed: input.seed, taken: [] });
  const options = { urls: ctx.urls, space: scope.space, metadata: false };
  return { pages: await inTurns(pageTree(entries, options)), files: [], reusableContents: [] };
}

/** Returns the document of one page that a source makes; refuses as `revision`, and with 404 for a page it has not. */
export async function document({ ctx, input }: Call<typeof ComputeDocument>) {
  const { type, props, dependencies } = input.source;
  const isOperation = "page" in props && props.page.includes("/");
  const asked = isOperation || props.doc === "info" ? { grouping: "by-operation" } : {};
  const source = { type, dependencies, props: { ...asked, models: true } };
  const { scope, pages } = await computed(ctx, input.spaceId, source);
  const named = found(pageBy(pages, props), "Page");
  const { version } = scope;
  return textAsDocument(ctx, scope, { version, markdown: textOf(named), evaluated: "false" });
}

/** The page whose text has these properties. */
function pageBy(pages: Made[], { doc, page }: { doc: string; page?: string }): Made | undefined {
  const open = [...pages];
  for (let next = open.pop(); next; next = open.pop()) {
    const { props = {} } = next.computed;
    if (props.doc === doc && props.page === page) return next;
    open.push(...next.pages);
  }
  return undefined;
}

async function computed(ctx: Ctx, spaceId: string, source: ComputedSource) {
  const scope: ResolvedTarget = await resolveTarget(ctx, { spaceId });
  const { space, organization } = scope;
  allowIn(ctx, organization, "openAPISpec.view");
  const pages = await computePages(ctx, { space, organization, time: null }, source);
  return { scope, pages: found(pages, "OpenAPI specification") };
}
