import { found } from "@octavo/shared/errors";
import type { Call } from "../trpc.js";
import { documentOf } from "./document.js";
import { evaluatedDocument } from "./evaluated.js";
import * as queries from "./queries.js";
import type {
  GetDocument,
  GetPageDocument,
  GetReusableContent,
  GetReusableContentDocument,
} from "./schema.js";
import { readScoped } from "./scope.js";
import { type PageProps, reusableView } from "./view.js";

/** The document that pages and reusable contents of a space name by its id; in other spaces the id stands for nothing. */
export async function document({ ctx, input }: Call<typeof GetDocument>) {
  const { part } = await readScoped(ctx, input, "read", queries.textByHash, { hash: input.documentId });
  return documentOf(found(part.markdown ?? undefined, "Document"));
}

/** The document of a page; an empty page has one without blocks, a group or a link has none. */
export async function pageDocument({ ctx, input }: Call<typeof GetPageDocument>) {
  const { pageId, evaluated } = input;
  const { scope, part } = await readScoped(ctx, input, "read", queries.pageText, { id: pageId });
  const { type, variables } = found(part.entry, "Page").props as unknown as PageProps;
  if (type !== "document") found(undefined, "Document");
  const { version } = scope;
  return evaluatedDocument(ctx, { version, markdown: part.markdown ?? "", variables, evaluated });
}

/** Content that several pages include. */
export async function reusableContent({ ctx, input }: Call<typeof GetReusableContent>) {
  const { part } = await readScoped(ctx, input, "read", queries.reusableById, {
    id: input.reusableContentId,
  });
  return reusableView(found(part.reusable, "Reusable content"), input.metadata);
}

/** The document of reusable content; page variables mean nothing in it, for it is in many pages. */
export async function reusableContentDocument({ ctx, input }: Call<typeof GetReusableContentDocument>) {
  const { reusableContentId: id, evaluated } = input;
  const { scope, part } = await readScoped(ctx, input, "read", queries.reusableText, { id });
  found(part.entry, "Reusable content");
  const { version } = scope;
  return evaluatedDocument(ctx, { version, markdown: part.markdown ?? "", evaluated });
}
