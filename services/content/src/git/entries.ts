import { posix } from "node:path";
import { type LinkNode, type TreeNode, walkTree } from "@octavo/markdown/tree";
import { newId } from "@octavo/shared/ids";
import { generateNKeysBetween } from "fractional-indexing";
import { propsOfSource, pruned } from "../editing/properties.js";
import { same } from "../store/combine.js";
import type { Entry } from "../store/version.js";
import type { SourceTree } from "./source-tree.js";

/** The files of a commit as entries, and what an import reuses of the entries that are there. */
export interface Existing {
  byKey: Map<string, Entry>;
  now: string;
}

/**
 * What stays the same thing from one import to the next: a page or file by its path, a group by its slug, a link by
 * where it leads. Ids are kept by it, so that links and comments survive.
 */
export function keyOf(
  entry: Pick<Entry, "kind" | "git_path" | "slug" | "title" | "parent" | "props">,
): string {
  const { kind, git_path, slug, title, parent, props } = entry;
  if (kind === "variable") return `variable\0${title}`;
  if (git_path !== null) return `${kind}\0${git_path}\0${props.occurrence ?? 0}`;
  const { url, page, anchor } = (props.target ?? {}) as Record<string, string | undefined>;
  const target = props.type === "link" ? [url, page, anchor].join("\0") : (slug ?? title);
  return `${props.type}\0${parent ?? ""}\0${target}`;
}

/** The pages of a tree as entries, in order; a page that is there already keeps its id, and its place where its siblings' order did not change. */
export function pageEntries(
  { nodes, pages }: SourceTree,
  fileIds: Map<string, string>,
  existing: Existing,
): Entry[] {
  const all = [...walkTree(nodes)];
  const made = new Map<TreeNode, Entry>();
  const above = (parent: TreeNode | undefined) => (parent ? made.get(parent)!.id : null);
  for (const { node, parent } of all) {
    if (node.kind === "link") continue;
    made.set(node, identified(existing, entryOf(node, above(parent), pages, fileIds)));
  }
  const ids = new Map(
    [...made.values()].map(({ git_path, id }) => [git_path, id]).reverse() as [string | null, string][],
  );
  for (const { node, parent } of all) {
    if (node.kind === "link") made.set(node, identified(existing, linkOf(node, above(parent), ids)));
  }
  place(nodes, made);
  for (const { node } of all) place(node.children, made);
  return [...made.values()].map((entry) => settled(existing, entry));
}

/** A link leads to an address, or to a page or anchor of the same space. */
function linkOf(
  { title, linkTitle, url, file, anchor }: LinkNode,
  parent: string | null,
  pages: Map<string | null, string>,
) {
  const page = file === undefined ? undefined : pages.get(file);
  const inside = anchor ? { kind: "anchor", page, anchor } : { kind: "page", page };
  const target = page === undefined ? { kind: "url", url } : inside;
  return { kind: "page" as const, parent, title, props: pruned({ type: "link", target, linkTitle }) };
}

function blank(
  existing: Pick<Existing, "now">,
  fields: Partial<Entry> & Pick<Entry, "kind" | "title">,
): Entry {
  const { now } = existing;
  const empty = {
    parent: null,
    position: "",
    slug: null,
    body: null,
    git_path: null,
    git_oid: null,
    props: {},
  };
  return { id: "", ...empty, ...fields, created_at: now, updated_at: null };
}

function identified(existing: Existing, fields: Partial<Entry> & Pick<Entry, "kind" | "title">): Entry {
  const entry = blank(existing, fields);
  const known = existing.byKey.get(keyOf(entry));
  return { ...entry, id: known?.id ?? newId(), position: known?.position ?? entry.position };
}

/** The entry as it was, when nothing of it changed; else with the times of a change. */
export function settled(existing: Existing, entry: Entry): Entry {
  const known = existing.byKey.get(keyOf(entry));
  if (!known) return entry;
  if (same(entry, known)) return known;
  return { ...entry, created_at: known.created_at, updated_at: existing.now };
}

function entryOf(
  node: Exclude<TreeNode, LinkNode>,
  parent: string | null,
  pages: SourceTree["pages"],
  fileIds: Map<string, string>,
) {
  const common = { kind: "page" as const, parent, title: node.title };
  if (node.kind === "group") return { ...common, slug: node.slug, props: { type: "group" } };
  if (node.kind === "computed") return { ...common, props: { type: "computed", computed: node.source } };
  const file = node.file === undefined ? undefined : pages.get(node.file);
  const fileRef = (path: string) => {
    const id = fileIds.get(posix.join(posix.dirname(node.file ?? ""), path));
    return id === undefined ? undefined : { kind: "file", file: id };
  };
  const said = file ? propsOfSource(file.source, fileRef) : {};
  const props = pruned({
    ...said,
    type: "document",
    linkTitle: node.linkTitle ?? said.linkTitle,
    occurrence: node.occurrence || undefined,
  });
  return {
    ...common,
    slug: node.slug,
    body: file?.hash ?? null,
    git_path: node.file ?? null,
    git_oid: file?.oid ?? null,
    props,
  };
}

/** Positions of siblings: those that they have, while these are in order; else new ones for all of them. */
function place(siblings: TreeNode[], made: Map<TreeNode, Entry>) {
  const entries = siblings.map((node) => made.get(node)!);
  const ordered = entries.every(
    ({ position }, at) => position !== "" && (at === 0 || position > entries[at - 1]!.position),
  );
  if (ordered || entries.length === 0) return;
  const keys = generateNKeysBetween(null, null, entries.length);
  entries.forEach((entry, at) => {
    entry.position = keys[at]!;
  });
}

/** An asset, a reusable content or a variable as an entry. */
export function otherEntry(
  existing: Existing,
  fields: Partial<Entry> & Pick<Entry, "kind" | "title">,
): Entry {
  return settled(existing, identified(existing, fields));
}
