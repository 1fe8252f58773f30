import { found } from "@octavo/shared/errors";
import { isVisitor, redactTitle } from "../../../pages/published.js";
import { textAsDocument } from "../../../pages/rendering.js";
import type {
  GetPageDocument,
  GetReusableContent,
  GetReusableContentDocument,
} from "../../../pages/schema.js";
import { reusableView } from "../../../pages/view.js";
import { type ResolvedTarget, readTarget } from "../../../revisions/target.js";
import type { Call } from "../../../trpc.js";
import * as queries from "../queries.js";
import { readComputed } from "../read-computed.js";
import { immutable, page } from "../rules.js";

/** Returns the document of a page; an empty page has one without blocks, a group or a link has none (404). */
export async function pageDocument({ ctx, input }: Call<typeof GetPageDocument>) {
  const { pageId, evaluated } = input;
  const { scope, part } = await readTarget(ctx, immutable(input), "space.view", queries.pageText, {
    id: pageId,
  });
  if (isVisitor(scope)) return shownDocument({ ctx, input });
  if (!part.entry) return madeDocument({ ctx, input }, scope);
  const { type, variables } = part.entry.props;
  if (type !== "document") found(undefined, "Document");
  const source = { version: scope.version, of: pageId, markdown: part.markdown ?? "", variables, evaluated };
  return textAsDocument(ctx, scope, source);
}

/** The document of a page that a source makes; 404 when none makes it. */
async function madeDocument({ ctx, input }: Call<typeof GetPageDocument>, scope: ResolvedTarget) {
  const made = found(await readComputed(ctx, scope, { id: input.pageId }), "Page");
  const { version } = scope;
  return textAsDocument(ctx, scope, { version, markdown: made.markdown ?? "", evaluated: input.evaluated });
}

/** The document of a page as the page itself shows it, which also depends on the pages above it. */
async function shownDocument({ ctx, input }: Call<typeof GetPageDocument>) {
  const flags = { metadata: false, computed: true, format: "document" } as const;
  const shown = await page({ ctx, input: { ...input, ...flags } });
  return found(shown.type === "document" ? shown.document : undefined, "Document");
}

/** Returns content that several pages include; 404 when there is none. */
export async function reusableContent({ ctx, input }: Call<typeof GetReusableContent>) {
  const { scope, part } = await readTarget(ctx, input, "space.view", queries.reusableById, {
    id: input.reusableContentId,
  });
  const reusable = redactTitle(scope)(found(part.reusable, "Reusable content"));
  return reusableView(reusable, input.metadata && !isVisitor(scope));
}

/**
 * Returns the document of reusable content; 404 when there is none. Page variables mean nothing in it, for it is in
 * many pages.
 */
export async function reusableContentDocument({ ctx, input }: Call<typeof GetReusableContentDocument>) {
  const { reusableContentId: id, evaluated } = input;
  const { scope, part } = await readTarget(ctx, immutable(input), "space.view", queries.reusableText, { id });
  found(part.entry, "Reusable content");
  const { version } = scope;
  return textAsDocument(ctx, scope, { version, of: id, markdown: part.markdown ?? "", evaluated });
}
