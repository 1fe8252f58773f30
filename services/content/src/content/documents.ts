import { found } from "@octavo/shared/errors";
import type { Call } from "../trpc.js";
import { documentOf } from "./document.js";
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
  const { part } = await readScoped(ctx, input, "read", queries.pageText, { id: input.pageId });
  const { props } = found(part.entry, "Page");
  if ((props as unknown as PageProps).type !== "document") found(undefined, "Document");
  return documentOf(part.markdown ?? "");
}

/** Content that several pages include. */
export async function reusableContent({ ctx, input }: Call<typeof GetReusableContent>) {
  const { part } = await readScoped(ctx, input, "read", queries.reusableById, {
    id: input.reusableContentId,
  });
  return reusableView(found(part.reusable, "Reusable content"), input.metadata);
}

export async function reusableContentDocument({ ctx, input }: Call<typeof GetReusableContentDocument>) {
  const { part } = await readScoped(ctx, input, "read", queries.reusableText, {
    id: input.reusableContentId,
  });
  found(part.entry, "Reusable content");
  return documentOf(part.markdown ?? "");
}
