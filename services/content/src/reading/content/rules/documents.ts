import { found } from "@octavo/shared/errors";
import type { z } from "zod";
import { isVisitor, redactTitle } from "../../../pages/published.js";
import { textAsDocument } from "../../../pages/rendering.js";
import type {
  GetPageDocument,
  GetReusableContent,
  GetReusableContentDocument,
} from "../../../pages/schema.js";
import { reusableView } from "../../../pages/view.js";
import { type ResolvedTarget, readTarget } from "../../../revisions/target.js";
import { writtenOnce } from "../../../revisions/written.js";
import type { Call, Ctx } from "../../../trpc.js";
import * as queries from "../queries.js";
import { readComputed } from "../read-computed.js";
import { immutable, readPage } from "../rules.js";

/** Returns the document of a page; an empty page has one without blocks, a group or a link has none (404). */
export async function pageDocument({ ctx, input }: Call<typeof GetPageDocument>) {
  const target = immutable(input);
  return writtenOnce(ctx, target, "space.view", async () => {
    const { pageId, evaluated } = input;
    const { scope, part } = await readTarget(ctx, target, "space.view", queries.pageText, { id: pageId });
    if (isVisitor(scope)) return { scope, output: await shownDocument(ctx, input) };
    if (!part.entry) return { scope, output: await madeDocument(ctx, scope, input) };
    const { type, variables } = part.entry.props;
    if (type !== "document") found(undefined, "Document");
    const source = {
      version: scope.version,
      of: pageId,
      markdown: part.markdown ?? "",
      variables,
      evaluated,
    };
    return { scope, output: await textAsDocument(ctx, scope, source) };
  });
}

type Wanted = z.output<typeof GetPageDocument>;

/** The document of a page that a source makes; 404 when none makes it. */
async function madeDocument(ctx: Ctx, scope: ResolvedTarget, { pageId, evaluated }: Wanted) {
  const made = found(await readComputed(ctx, scope, { id: pageId }), "Page");
  const { version } = scope;
  return textAsDocument(ctx, scope, { version, markdown: made.markdown ?? "", evaluated });
}

/** The document of a page as the page itself shows it, which also depends on the pages above it. */
async function shownDocument(ctx: Ctx, input: Wanted) {
  const flags = { metadata: false, computed: true, format: "document" } as const;
  const { output: shown } = await readPage(ctx, immutable(input), { ...input, ...flags });
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
