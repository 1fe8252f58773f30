import { posix } from "node:path";
import type { Ref } from "@octavo/markdown/document/refs";
import { type TreeNode, walkTree } from "@octavo/markdown/navigation/tree";
import { uniqueSlug } from "@octavo/markdown/source/slug";
import { newId } from "@octavo/shared/ids";
import { yielding } from "@octavo/shared/workers/yield";
import { generateNKeysBetween } from "fractional-indexing";
import type { PageProps } from "../db/tables/entries.js";
import { propsOfSource, pruned } from "../documents/properties.js";
import { ASSETS } from "../references/paths.js";
import { hashOf } from "../store/bodies.js";
import type { FileEntry, PageEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { withCovers } from "./covers.js";
import { withAddresses } from "./files.js";
import type { Material } from "./material/material.js";
import type { Tree } from "./tree.js";

/** Where imported pages go. */
export interface Target {
  /** The page they go under; null is the top. */
  parent: string | null;
  /** The slugs of that page and those above it, from the top. */
  slugs: string[];
  /** What is there already. */
  siblings: { position: string; slug: string | null }[];
}

interface Imported {
  material: Material;
  tree: Tree;
  files: Map<string, FileEntry>;
}

/** A page with its text, before its addresses are right. */
interface Placed {
  entry: PageEntry;
  node: TreeNode;
  /** Where links to it lead. */
  path: string;
}

/** The entries of an import, and their texts: pages behind those that are there, whose links lead to each other. */
export async function entriesFor(
  ctx: Ctx,
  { material, tree, files }: Imported,
  target: Target,
): Promise<{ pages: PageEntry[]; texts: string[] }> {
  const placed = place(ctx, tree, target);
  const paths = new Map<string, string>();
  for (const { node, path } of placed) {
    const text = node.kind === "page" && node.file !== undefined ? tree.texts.get(node.file) : undefined;
    if (text && !paths.has(text.path)) paths.set(text.path, path);
  }
  for (const [path, { title }] of files) paths.set(path, ASSETS + title);
  const pages: PageEntry[] = [];
  const texts: string[] = [];
  const giveWay = yielding();
  for (const { entry, node, path } of placed) {
    const text = node.kind === "page" && node.file !== undefined ? tree.texts.get(node.file) : undefined;
    if (!text) {
      pages.push(entry);
      continue;
    }
    const folder = posix.dirname(`/${path}`);
    const moved = ({ path: to, anchor }: { path: string; anchor?: string }) => {
      const known = paths.get(to);
      const address = known === undefined ? to : escaped(posix.relative(folder, `/${known}`));
      if (known === undefined && !/^https?:/.test(to)) return undefined;
      return address + (anchor ? `#${encodeURIComponent(anchor)}` : "");
    };
    const covers = new Map<string, Ref>();
    const covered = withCovers(text, (cover) => {
      const target = material.resolve(text.path, cover);
      const address = target && moved(target);
      const file = target && files.get(target.path);
      if (file && address !== undefined) covers.set(address, { kind: "file", file: file.id });
      return address;
    });
    const markdown = withAddresses({ ...text, markdown: covered }, moved, material.resolve);
    const properties = pruned({ description: text.description });
    const made = await ctx.work.run("insertedText", { markdown, title: entry.title, properties });
    pages.push({
      ...entry,
      body: hashOf(made.text),
      props: { ...propsOfSource(made.source, (address) => covers.get(address)), ...entry.props } as PageProps,
    });
    texts.push(made.text);
    await giveWay();
  }
  return { pages, texts };
}

/** A path as an address in markdown, whatever characters are in it. */
const escaped = (path: string) =>
  encodeURI(path).replace(/[()#?]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);

/** The pages of a tree, parents before children, with their places, slugs and paths. */
function place(ctx: Ctx, { nodes }: Tree, { parent, slugs, siblings }: Target): Placed[] {
  const taken = new Set(siblings.map(({ slug }) => slug ?? ""));
  const last =
    siblings
      .map(({ position }) => position)
      .sort()
      .at(-1) ?? null;
  const made = new Map<TreeNode | undefined, { id: string | null; slugs: string[]; keys: string[] }>();
  made.set(undefined, { id: parent, slugs, keys: generateNKeysBetween(last, null, nodes.length) });
  const placed: Placed[] = [];
  for (const { node, parent: above, index } of walkTree(nodes)) {
    const { id: parentId, slugs: before, keys } = made.get(above)!;
    const own = "slug" in node ? (above ? node.slug : uniqueSlug(node.slug, taken)) : null;
    if (!above && own !== null) taken.add(own);
    const here = own === null ? before : [...before, own];
    const id = newId();
    made.set(node, { id, slugs: here, keys: generateNKeysBetween(null, null, node.children.length) });
    const entry: PageEntry = {
      id,
      kind: "page",
      parent: parentId,
      position: keys[index]!,
      slug: own,
      title: node.title,
      body: null,
      git_path: null,
      git_oid: null,
      props: propsOf(node, parent),
      created_at: ctx.clock().toISOString(),
      updated_at: null,
    };
    placed.push({ entry, node, path: `${here.join("/")}.md` });
  }
  return placed;
}

/** A group is at the top alone: below a page it is a page without a text. */
function propsOf(node: TreeNode, parent: string | null): PageProps {
  if (node.kind === "group") return { type: parent === null ? "group" : "document" };
  if (node.kind === "link")
    return pruned({
      type: "link" as const,
      target: { kind: "url", url: node.url },
      linkTitle: node.linkTitle,
    });
  if (node.kind === "computed") return { type: "document" };
  return pruned({ type: "document" as const, linkTitle: node.linkTitle });
}
