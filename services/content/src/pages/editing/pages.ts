import { slugify, uniqueSlug } from "@octavo/markdown/source/slug";
import { withoutHidden } from "@octavo/markdown/text/hidden-text";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { propsOfSource, pruned } from "../../documents/properties.js";
import type { Written } from "../../documents/texts.js";
import { blobOid, bodyOf, hashOf } from "../../store/bodies.js";
import { positionAt } from "../../store/order.js";
import { ofKind, type PageEntry, type ReusableContentEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { coverFiles } from "./covers.js";
import { deleteEntry } from "./delete-entry.js";
import { type Draft, draftEntry, draftSiblings, draftSiblingsAtEnd, draftSubtree } from "./draft.js";
import { checkNesting } from "./nesting.js";

/** What a change may say about a page; absent leaves it as it is. */
export interface PageFields {
  title?: string;
  slug?: string;
  emoji?: string;
  icon?: string;
  description?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
}

interface InsertPosition {
  /** The page it goes under; null is the top. */
  parent: string | null;
  /** Index among the siblings; at the end when absent. */
  at?: number;
}

/** Adds a document to a draft. */
export async function insertPage(
  ctx: Ctx,
  draft: Draft,
  fields: PageFields & { id?: string },
  place: InsertPosition,
  markdown: string,
): Promise<PageEntry> {
  await checkParent(ctx, draft, place.parent);
  const { id = newId(), slug: wantedSlug, title: wanted, ...properties } = fields;
  const { title, ...made } = await ctx.work.run("insertedText", { markdown, title: wanted, properties });
  const slug = wantedSlug ?? slugify(withoutHidden(title));
  const siblings =
    place.at === undefined
      ? await draftSiblingsAtEnd(ctx, draft, place.parent, slug)
      : await draftSiblings(ctx, draft, place.parent);
  const entry: PageEntry = {
    id,
    kind: "page",
    parent: place.parent,
    position: positionAt(siblings, place.at ?? siblings.length),
    slug: uniqueSlug(slug, slugsOf(siblings)),
    title,
    body: null,
    git_path: null,
    git_oid: null,
    props: { type: "document" },
    created_at: ctx.clock().toISOString(),
    updated_at: null,
  };
  await checkNesting(ctx, draft, place.parent, [entry]);
  const written = await withText(ctx, draft, entry, made);
  draft.known.set(written.id, undefined);
  draft.put.set(written.id, { ...written, title });
  return written;
}

/** Changes fields, text or place of a page in a draft. */
export async function updatePage(
  ctx: Ctx,
  draft: Draft,
  page: PageEntry,
  { fields, markdown, place }: { fields: PageFields; markdown?: string; place?: InsertPosition },
): Promise<PageEntry> {
  const { title, slug, ...properties } = fields;
  const { props } = page;
  let entry: PageEntry = { ...page, updated_at: ctx.clock().toISOString() };
  if (props.type === "document") entry = await rewrite(ctx, draft, entry, fields, markdown);
  else if (markdown !== undefined)
    refuse("BAD_REQUEST", `Page: ${page.id} is a ${props.type} and has no document`);
  else entry = { ...entry, title: title ?? entry.title, props: pruned({ ...props, ...properties }) };
  if (place) entry = await movePage(ctx, draft, entry, place);
  if (slug !== undefined || place) {
    const siblings = (await draftSiblings(ctx, draft, entry.parent)).filter(({ id }) => id !== page.id);
    entry.slug = entry.slug === null ? null : uniqueSlug(slug ?? entry.slug, slugsOf(siblings));
  }
  draft.put.set(entry.id, entry);
  return entry;
}

async function rewrite(
  ctx: Ctx,
  draft: Draft,
  page: PageEntry,
  fields: PageFields,
  markdown: string | undefined,
) {
  const { title, slug: _, ...properties } = fields;
  const stored = await textOf(ctx, draft, page);
  const known = page.props;
  const edit = { stored, markdown, title, formerTitle: page.title, properties, known };
  const made = await ctx.work.run("rewrittenText", edit);
  if (!made) return { ...page, title: title ?? page.title };
  const written = await withText(ctx, draft, page, made);
  const newTitle = markdown === undefined ? page.title : (made.source.title ?? page.title);
  return { ...written, title: title ?? newTitle };
}

/** The entry with another text, and with what the text says about the page. */
export async function withText(
  ctx: Ctx,
  draft: Draft,
  entry: PageEntry,
  { text, source }: Written,
): Promise<PageEntry> {
  const paths = [source.cover?.ref, source.cover?.refDark].filter((path) => path !== undefined);
  const files = await coverFiles(ctx, draft, entry, paths);
  const props = propsOfSource(source, (path) => files.get(path));
  const placed = await placeInContents(ctx, draft, entry, source);
  draft.texts.set(entry.id, text);
  return {
    ...entry,
    body: hashOf(text),
    git_oid: entry.git_path ? blobOid(text) : null,
    props: { type: "document", ...placed, ...props },
  };
}

/** What a table of contents in git says of the page, and its text does not. */
async function placeInContents(ctx: Ctx, draft: Draft, entry: PageEntry, source: Written["source"]) {
  const { occurrence, linkTitle } = entry.props;
  if (linkTitle === undefined || source.linkTitle !== undefined) return pruned({ occurrence });
  const read = await ctx.work.run("readSource", await textOf(ctx, draft, entry));
  return pruned({ occurrence, linkTitle: read.linkTitle === undefined ? linkTitle : undefined });
}

/** The text of a page or reusable content as the draft has it. */
export async function textOf(
  ctx: Ctx,
  draft: Draft,
  { id, body }: PageEntry | ReusableContentEntry,
): Promise<string> {
  const written = draft.texts.get(id);
  if (written !== undefined) return written;
  if (body === null) return "";
  return draft.stored.get(body) ?? bodyOf(ctx, draft.version.space, body);
}

async function movePage(
  ctx: Ctx,
  draft: Draft,
  page: PageEntry,
  { parent, at }: InsertPosition,
): Promise<PageEntry> {
  await checkParent(ctx, draft, parent);
  const subtree = await draftSubtree(ctx, draft, page);
  if (subtree.some(({ id }) => id === parent))
    refuse("BAD_REQUEST", `Page: ${page.id} can not go under itself`);
  if (page.props.type === "group" && parent !== null) {
    refuse("BAD_REQUEST", `Page: the group ${page.id} can only be at the top`);
  }
  if (parent !== page.parent) await checkNesting(ctx, draft, parent, subtree);
  const siblings = (await draftSiblings(ctx, draft, parent)).filter(({ id }) => id !== page.id);
  return { ...page, parent, position: positionAt(siblings, at ?? siblings.length) };
}

/** Removes a page and everything below it from a draft. */
export async function deletePage(ctx: Ctx, draft: Draft, page: PageEntry): Promise<void> {
  for (const one of await draftSubtree(ctx, draft, page)) deleteEntry(draft, one);
}

/** A page of the draft; 404 when there is none. */
export async function draftPage(ctx: Ctx, draft: Draft, id: string): Promise<PageEntry> {
  return found(ofKind(await draftEntry(ctx, draft, id), "page"), `Page ${id}`);
}

/** Whether a page can stand under a parent: it is there, and not below the page. */
export async function fits(ctx: Ctx, draft: Draft, page: PageEntry, parent: string | null): Promise<boolean> {
  if (parent === null) return true;
  if ((await draftEntry(ctx, draft, parent))?.kind !== "page") return false;
  return !(await draftSubtree(ctx, draft, page)).some(({ id }) => id === parent);
}

async function checkParent(ctx: Ctx, draft: Draft, parent: string | null) {
  if (parent === null) return;
  const { props } = await draftPage(ctx, draft, parent);
  const { type } = props;
  if (type !== "document" && type !== "group") refuse("BAD_REQUEST", `Page: a ${type} can not hold pages`);
}

const slugsOf = (siblings: { slug: string | null }[]) => new Set(siblings.map(({ slug }) => slug ?? ""));
