import { encodeCursor } from "@octavo/shared/contracts/cursor";
import { badCursor, decodeCursor } from "@octavo/shared/cursor";
import { found } from "@octavo/shared/errors";
import type { z } from "zod";
import { filesIn } from "../../computed/files.js";
import { downloadOf, publishedAddressOf } from "../../files/download-url.js";
import { isVisitor } from "../../pages/published.js";
import type { GetFile, GetPage, GetPageAtPath, ListFiles } from "../../pages/schema.js";
import { fileView } from "../../pages/view.js";
import { type ResolvedTarget, readTarget, type Target } from "../../revisions/target.js";
import { writtenOnce } from "../../revisions/written.js";
import type { Call, Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { computedFile, orComputed } from "./read-computed.js";
import { showPage, viewOptions } from "./show-page.js";

/** Of a revision this is the same for good: what holds addresses that expire, or what goes on around it, is not. */
export const immutable = (target: Target): Target => ({ ...target, immutable: true });

/** Returns a page by id; 404 when there is none or the caller may not see it. */
export async function page({ ctx, input }: Call<typeof GetPage>) {
  const target = immutable(input);
  return writtenOnce(ctx, target, "space.view", async () => readPage(ctx, target, input));
}

/** Reads a page by id as the caller is to see it; 404 when there is none or the caller may not see it. */
export async function readPage(ctx: Ctx, target: Target, input: z.output<typeof GetPage>) {
  const { pageId: page } = input;
  const likely = { ...target, likelyHead: true };
  const { scope, part } = await readTarget(ctx, likely, "space.view", queries.pageById, { page });
  const row = await orComputed(ctx, scope, part, { id: page });
  return { scope, output: await showPage(ctx, scope, row, input) };
}

/** Returns the document or group at a path of slugs; a link has no path. 404 when there is none. */
export async function pageAtPath({ ctx, input }: Call<typeof GetPageAtPath>) {
  const target = immutable(input);
  const slugs = input.pagePath.replace(/^\/+|\/+$/g, "").split("/");
  return writtenOnce(ctx, target, "space.view", async () => {
    const { scope, part } = await readTarget(ctx, target, "space.view", queries.pageByPath, { slugs });
    const output = await showPage(ctx, scope, await orComputed(ctx, scope, part, { slugs }), input);
    if (output.type !== "document" && output.type !== "group") return found(undefined, "Page");
    return { scope, output };
  });
}

/**
 * Lists the files of a version, sorted by id, with their count; 400 for a malformed cursor, 404 for content out of
 * reach.
 */
export async function files({ ctx, input }: Call<typeof ListFiles>) {
  const after = input.page === undefined ? "" : decodeCursor(input.page, 1)[0]!;
  if (typeof after !== "string") badCursor();
  const { scope, part } = await readTarget(ctx, input, "space.access", queries.filesAfter, {
    after,
    limit: input.limit + 1,
  });
  const computed = part.declares && input.computed ? await filesIn(ctx, scope) : [];
  const listed = [...part.files, ...computed.filter(({ id }) => id > after)];
  listed.sort((one, other) => (one.id < other.id ? -1 : 1));
  const items = listed.slice(0, input.limit);
  const more = listed.length > input.limit && items.length > 0;
  const { metadata } = viewOptions(ctx, scope, input.metadata);
  return {
    items: items.map((entry) => fileView(entry, metadata, addressFor(ctx, scope))),
    count: part.count + computed.length,
    ...(more && { next: { page: encodeCursor([items.at(-1)!.id]) } }),
  };
}

/** Returns a file by id; 404 when there is none. */
export async function file({ ctx, input }: Call<typeof GetFile>) {
  const { scope, part } = await readTarget(ctx, input, "space.view", queries.fileById, {
    file: input.fileId,
  });
  const file = part.file ?? (input.computed ? await computedFile(ctx, scope, input.fileId) : undefined);
  const { metadata } = viewOptions(ctx, scope, input.metadata);
  return fileView(found(file, "File"), metadata, addressFor(ctx, scope));
}

/** How files are addressed: for visitors of what everybody may see by their contents, since they keep what they make. */
export const addressFor = (ctx: Ctx, scope: ResolvedTarget) =>
  scope.isPublic && isVisitor(scope) ? publishedAddressOf(ctx, scope) : downloadOf(ctx, scope);
