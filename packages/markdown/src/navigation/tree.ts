import { fileSlug, slugGiver, slugify } from "../source/slug.js";
import { pageTitle } from "../source/title.js";
import { decodePercent, isAbsoluteUrl, resolvePath } from "../text/destination.js";
import { folderSummary, titleOf } from "./folders.js";
import type { ComputedSource, Summary, SummaryGroup, SummaryItem } from "./summary.js";

interface Placed {
  title: string;
  children: TreeNode[];
}
/** A page. `path` joins the slugs from the top ("group/parent/page"), unique in the tree. */
export interface PageNode extends Placed {
  kind: "page";
  linkTitle?: string;
  slug: string;
  path: string;
  /** Path of the file relative to the content root; absent: a page that has no file (empty body). */
  file?: string;
  /** 0 for the first page made of this file, 1 for the second… ; file + occurrence identify a page. */
  occurrence: number;
}
export interface GroupNode extends Placed {
  kind: "group";
  slug: string;
  path: string;
}
export interface LinkNode extends Placed {
  kind: "link";
  linkTitle?: string;
  url: string;
  /** Set when a relative url names a file of the repository; `anchor` is without `#`. */
  file?: string;
  anchor?: string;
}
export interface ComputedNode extends Placed {
  kind: "computed";
  source: ComputedSource;
}
export type TreeNode = PageNode | GroupNode | LinkNode | ComputedNode;

export interface MissingFile {
  file: string;
  title: string;
  line?: number;
}

/** What a page's own source says about its place (see readSource). */
export interface PageMeta {
  title?: string;
  linkTitle?: string;
  slug?: string;
}

export interface TreeInput {
  /** Absent: the tree is inferred from the folders of `files`. */
  summary?: Summary;
  /** Every file of the repository, relative to the content root, `/` between parts. */
  files: Iterable<string>;
  /** The landing page's file (settings.readme). Default README.md. */
  readme?: string;
  /** Never a page of an inferred tree (settings.summary). Default SUMMARY.md. */
  summaryFile?: string;
  /** Called once per page with a file; titles are asked for only where no SUMMARY gives one. */
  meta?: (file: string) => PageMeta | undefined;
}

/**
 * The page tree in order, with slugs and paths. `missing` are pages whose file is not in `files`: they keep their
 * place in the tree (with `file` set), the caller decides what to do.
 */
export function buildTree(input: TreeInput): { nodes: TreeNode[]; missing: MissingFile[] } {
  const { meta = () => undefined, readme = "README.md", summaryFile = "SUMMARY.md" } = input;
  const files = fileIndex(input.files);
  const summary = input.summary ?? folderSummary({ files: files.all, readme, summaryFile });
  const placer: Placer = { files, meta, readme, occurrences: new Map(), missing: [], nodes: [] };
  const top: ChildSlot = { path: "", give: slugGiver(), siblings: placer.nodes };
  const stack = summary.nodes.map((item) => ({ item, place: top })).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const inner = placeItem(placer, next.item, next.place);
    for (const child of next.item.children.toReversed()) stack.push({ item: child, place: inner });
  }
  return { nodes: placer.nodes, missing: placer.missing };
}

/** The files that pages, or links, of a table of contents name, as they are written there. */
export function* namedIn({ nodes }: Summary, kind: "page" | "link"): Generator<string> {
  const open: (SummaryGroup | SummaryItem)[] = [...nodes];
  for (let item = open.pop(); item; item = open.pop()) {
    open.push(...item.children);
    const path = item.kind === "page" ? item.file : item.kind === "link" ? pathIn(item.url) : undefined;
    if (item.kind === kind && path) yield path;
  }
}

/** All nodes in document order, each with its parent and its index among its siblings. */
export function* walkTree(
  nodes: TreeNode[],
): Generator<{ node: TreeNode; parent?: TreeNode; index: number }> {
  const reversed = (children: TreeNode[], parent?: TreeNode) =>
    children.map((node, index) => ({ node, parent, index })).reverse();
  const stack = reversed(nodes);
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next;
    for (const child of reversed(next.node.children, next.node)) stack.push(child);
  }
}

interface Placer {
  files: FileIndex;
  meta: (file: string) => PageMeta | undefined;
  readme: string;
  occurrences: Map<string, number>;
  missing: MissingFile[];
  nodes: TreeNode[];
}
/** Where children go. Links and computed pages have no path, so their children share the slugs around them. */
interface ChildSlot {
  path: string;
  give: (wanted: string) => string;
  siblings: TreeNode[];
}

function placeItem(placer: Placer, item: SummaryGroup | SummaryItem, place: ChildSlot): ChildSlot {
  const children: TreeNode[] = [];
  if (item.kind === "computed") {
    place.siblings.push({
      kind: "computed",
      title: pageTitle(computedTitle(item.source)),
      source: item.source,
      children,
    });
    return { ...place, siblings: children };
  }
  if (item.kind === "link") {
    const { linkTitle, url } = item;
    const title = pageTitle(item.title);
    place.siblings.push({ kind: "link", title, linkTitle, url, ...linkedFile(placer.files, url), children });
    return { ...place, siblings: children };
  }
  const node: PageNode | GroupNode =
    item.kind === "page"
      ? { kind: "page", ...pageFields(placer, item), path: "", children }
      : {
          kind: "group",
          title: pageTitle(item.title) || "Group",
          slug: item.slug ? fileSlug(item.slug) : slugify(item.title, "group"),
          path: "",
          children,
        };
  node.slug = place.give(node.slug);
  node.path = place.path === "" ? node.slug : `${place.path}/${node.slug}`;
  place.siblings.push(node);
  return { path: node.path, give: slugGiver(), siblings: children };
}

type PageItem = Extract<SummaryItem, { kind: "page" }>;

function pageFields({ files, meta, readme, occurrences, missing }: Placer, item: PageItem) {
  if (item.file === undefined) {
    return {
      title: pageTitle(item.title) || "Untitled",
      linkTitle: item.linkTitle,
      slug: slugify(item.title),
      occurrence: 0,
    };
  }
  const file = files.find(item.file);
  if (!file) missing.push({ file: item.file, title: item.title, line: item.line });
  const own = file ? meta(file) : undefined;
  const path = file ?? item.file;
  const occurrence = occurrences.get(path) ?? 0;
  occurrences.set(path, occurrence + 1);
  return {
    title: pageTitle(item.title) || own?.title || pageTitle(titleOf(nameOf(path))) || "Untitled",
    linkTitle: item.linkTitle ?? own?.linkTitle,
    slug: own?.slug ? fileSlug(own.slug) : path === readme ? "readme" : fileSlug(nameOf(path)),
    file: path,
    occurrence,
  };
}

interface FileIndex {
  all: string[];
  find: (path: string) => string | undefined;
}

/** Finds a file as written, in another Unicode form, or when its name itself holds percent escapes. */
function fileIndex(paths: Iterable<string>): FileIndex {
  const all = [...paths];
  const exact = new Set(all);
  const composed = new Map(all.map((path) => [path.normalize("NFC"), path]));
  const find = (path: string) => (exact.has(path) ? path : composed.get(path.normalize("NFC")));
  return { all, find: (path) => find(path) ?? find(encodeURI(path)) };
}

function linkedFile(files: FileIndex, url: string): { file?: string; anchor?: string } {
  const file = files.find(pathIn(url) ?? "");
  const anchor = url.split("#", 2)[1];
  return file ? { file, ...(anchor && { anchor }) } : {};
}

function pathIn(url: string): string | undefined {
  const path = url.split("#", 1)[0]!;
  return path === "" || isAbsoluteUrl(url) ? undefined : resolvePath("", decodePercent(path));
}

/** The name of the spec or whatever else a computed page is made from: it has no title of its own. */
function computedTitle({ type, props, dependencies }: ComputedSource): string {
  if (typeof props.title === "string" && props.title !== "") return props.title;
  for (const dependency of Object.values(dependencies)) {
    const ref = (dependency as { ref?: Record<string, unknown> } | null)?.ref;
    const name = ref?.spec ?? ref?.translation ?? ref?.space;
    if (typeof name === "string" && name !== "") return name;
  }
  return type;
}

/** The name a page goes by: its file's without `.md`, its folder's for a README, "readme" at the root. */
function nameOf(file: string): string {
  const parts = file.split("/");
  const name = parts.at(-1)!.replace(/\.(?:md|markdown)$/i, "");
  return name.toLowerCase() === "readme" ? (parts.at(-2) ?? "readme") : name || "page";
}

/** Whether two trees show the same pages in the same places, however their tables of contents are written. */
export const isSameTree = (one: TreeNode[], other: TreeNode[]): boolean =>
  JSON.stringify(one.map(shown)) === JSON.stringify(other.map(shown));

/** What of a node shows: the address of a link into the tree may be written in several ways. */
function shown(node: TreeNode): object {
  const { title, children } = node;
  const common = { kind: node.kind, title, children: children.map(shown) };
  if (node.kind === "group") return { ...common, slug: node.slug };
  if (node.kind === "computed") return { ...common, source: node.source };
  const { linkTitle = null, file = null } = node;
  if (node.kind === "page") return { ...common, linkTitle, file, occurrence: node.occurrence };
  const leadsTo = file === null ? node.url : [file, node.anchor ?? null];
  return { ...common, linkTitle, leadsTo };
}
