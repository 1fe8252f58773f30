import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Urls } from "@octavo/shared/urls";
import { atOnce } from "@octavo/shared/workers/yield";
import type { PageProps } from "../db/tables/entries.js";
import type { FileEntry, PageEntry, ReusableContentEntry } from "../store/version.js";
import { isMade } from "./made.js";
import type { PageShape } from "./schema.js";

/** How a page is shown unless it says otherwise. */
const LAYOUT = {
  width: "default",
  cover: true,
  coverSize: "hero",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
} as const;

/** The text of a page in the format that was asked for. */
export interface PageBody {
  markdown?: string;
  document?: JSONDocument;
}

interface ViewOptions {
  urls: Urls;
  /** The space that the pages lie in. */
  space: string;
  /** False leaves the git metadata out. */
  metadata: boolean;
  /** True shows the paths of pages in git without metadata too. */
  gitPath?: boolean;
}

/** Pages of a tree that are made in one go. */
export const PAGES_IN_ONE_GO = 50;

/** The tree of pages, in steps. The entries are in the order of their siblings. */
export const pageTree = (entries: PageEntry[], options: ViewOptions): Generator<void, PageShape[]> =>
  treeOf(entries, (entry, above) => shape(entry, options, above));

/**
 * The tree of what is made of pages, in steps; `make` is given the path of what is above each. The entries are in the order of
 * their siblings.
 */
export function* treeOf<Shape extends object>(
  entries: PageEntry[],
  make: (entry: PageEntry, above: string) => Shape | (Shape & Parent<Shape>),
): Generator<void, Shape[]> {
  const pages: Shape[] = [];
  yield* fill([{ parent: null, path: "", pages }], entries, make);
  return pages;
}

/** What may have others below it. */
interface Parent<Shape> {
  path: string;
  pages: Shape[];
}

/** One page with those below it, in steps; `line` is the page and the pages above it, innermost first. */
export function* pageWithTree(
  line: PageEntry[],
  below: PageEntry[],
  options: ViewOptions,
  body: PageBody,
): Generator<void, PageShape> {
  const [entry, ...above] = line as [PageEntry, ...PageEntry[]];
  const path = above
    .reverse()
    .map(({ slug }) => slug)
    .join("/");
  const page = shape(entry, options, path);
  if (page.type === "document") Object.assign(page, body);
  if (below.length > 0)
    yield* fill<PageShape>(placesIn(entry, page), below, (entry, above) => shape(entry, options, above));
  return page;
}

/** One page without those below it. */
export const pageView = (line: PageEntry[], options: ViewOptions, body: PageBody = {}): PageShape =>
  atOnce(pageWithTree(line, [], options, body));

/** Where pages go that are below one. */
interface ChildList<Shape> extends Parent<Shape> {
  parent: string | null;
}

const placesIn = <Shape extends object>(
  { id }: PageEntry,
  page: Shape | (Shape & Parent<Shape>),
): ChildList<Shape>[] => ("pages" in page ? [{ parent: id, path: page.path, pages: page.pages }] : []);

/** Puts pages to their places, those above first. */
function* fill<Shape extends object>(
  open: ChildList<Shape>[],
  entries: PageEntry[],
  make: (entry: PageEntry, above: string) => Shape | (Shape & Parent<Shape>),
): Generator<void, void> {
  const groups = byParent(entries);
  let made = 0;
  for (let place = open.pop(); place; place = open.pop()) {
    for (const entry of groups.get(place.parent) ?? []) {
      const page = make(entry, place.path);
      place.pages.push(page);
      open.push(...placesIn(entry, page));
      made += 1;
      if (made % PAGES_IN_ONE_GO === 0) yield;
    }
  }
}

function byParent(entries: PageEntry[]): Map<string | null, PageEntry[]> {
  const groups = new Map<string | null, PageEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.parent);
    if (group) group.push(entry);
    else groups.set(entry.parent, [entry]);
  }
  return groups;
}

// Each as one literal without spreads: an object that is put together of others takes a hundred times as long to make.
function shape(entry: PageEntry, options: ViewOptions, above: string): PageShape {
  const { id, title, props } = entry;
  const { emoji, icon } = props;
  const createdAt = iso(entry.created_at);
  const updatedAt = entry.updated_at ? iso(entry.updated_at) : undefined;
  if (props.type === "link") {
    const { type, target, hidden } = props;
    const href = hrefOf(target, options);
    return { id, title, emoji, icon, createdAt, updatedAt, type, kind: "link", target, href, hidden };
  }
  if (props.type === "computed") {
    const { type, computed } = props;
    return { id, title, emoji, icon, createdAt, updatedAt, type, computed };
  }
  const slug = entry.slug!;
  const path = above ? `${above}/${slug}` : slug;
  const { hidden, noIndex, noRobotsIndex } = props;
  if (props.type === "group")
    return {
      id,
      title,
      emoji,
      icon,
      createdAt,
      updatedAt,
      type: "group",
      kind: "group",
      slug,
      path,
      hidden,
      noIndex,
      noRobotsIndex,
      pages: [],
    };
  const made = isMade(entry) ? entry.made : undefined;
  return {
    id,
    title,
    emoji,
    icon,
    createdAt,
    updatedAt,
    type: "document",
    kind: "sheet",
    urls: { app: options.urls.app`/s/${options.space}/${id}` },
    slug,
    path,
    hidden,
    noIndex,
    noRobotsIndex,
    description: props.description,
    git: gitOf(entry, options),
    layout: layoutOf(props),
    cover: props.cover && { ...props.cover, yPos: props.cover.yPos ?? 0 },
    variables: props.variables,
    documentId: props.empty ? undefined : (entry.body ?? undefined),
    computed: made?.computed,
    computedSeed: made?.seed,
    pages: [],
  };
}

/** Where a page is in git. Who sees its path alone is not shown the hash of its source, which has more than they see. */
function gitOf({ git_path: path, git_oid }: PageEntry, { metadata, gitPath }: ViewOptions) {
  if (!path || !(metadata || gitPath)) return undefined;
  return { oid: (metadata && git_oid) || "", path };
}

/** Readers of the interface know two sizes of covers: one in the background is as wide as a full one. */
function layoutOf({ layout }: Pick<PageProps, "layout">) {
  const shown = { ...LAYOUT, ...layout };
  if (shown.coverSize === "background") shown.coverSize = "full";
  return shown as typeof LAYOUT;
}

/** Where a link leads to in a browser; absent for what has no address of its own. */
function hrefOf({ kind, ...named }: Ref, { urls, space: own }: ViewOptions): string | undefined {
  const { url, page, space = own, anchor } = named as Record<string, string | undefined>;
  if (kind === "url") return url;
  if (kind === "space") return urls.app`/s/${space}`;
  if ((kind !== "page" && kind !== "anchor") || page === undefined) return undefined;
  return urls.app`/s/${space}/${page}` + (anchor ? `#${encodeURIComponent(anchor)}` : "");
}

/** PostgreSQL writes times inside JSON in its own form: with an offset, and without trailing zeros. */
export function iso(time: string): string {
  if (time.endsWith("Z")) return time;
  return time.length === 29 && time.endsWith("+00:00")
    ? `${time.slice(0, 23)}Z`
    : new Date(time).toISOString();
}

/** A file; `download` makes the address that its content can be fetched from. */
export function fileView(entry: FileEntry, metadata: boolean, download: (entry: FileEntry) => string) {
  const { contentType, size, dimensions } = entry.props;
  return {
    id: entry.id,
    name: entry.title,
    contentType,
    downloadURL: download(entry),
    size,
    dimensions,
    git: metadata && entry.git_path ? { oid: entry.git_oid ?? "", path: entry.git_path } : undefined,
  };
}

/** A reusable content; `document` is the id of its document. */
export function reusableView(
  { id, title, body, git_path, git_oid }: Omit<ReusableContentEntry, "kind" | "props">,
  metadata: boolean,
) {
  const git = metadata && git_path ? { oid: git_oid ?? "", path: git_path } : undefined;
  return { id, title, document: body ?? undefined, git };
}
