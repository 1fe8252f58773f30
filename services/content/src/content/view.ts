import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Urls } from "@octavo/shared/urls";
import type { Entry, Version } from "../store/version.js";
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

interface Target {
  kind: string;
  [field: string]: unknown;
}

export interface PageProps {
  type: "document" | "group" | "link" | "computed";
  emoji?: string;
  icon?: string;
  description?: string;
  layout?: Partial<Record<keyof typeof LAYOUT, unknown>>;
  cover?: { ref?: unknown; refDark?: unknown; yPos?: number };
  variables?: Record<string, string | number | boolean>;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
  linkTitle?: string;
  /** A document of nothing but its title. */
  empty?: true;
  target?: Target;
  computed?: { type: string; [field: string]: unknown };
}

/** The text of a page in the format that was asked for. */
export interface PageBody {
  markdown?: string;
  document?: JSONDocument;
}

interface ViewOptions {
  urls: Urls;
  version: Version;
  /** False leaves the git metadata out. */
  metadata: boolean;
}

/** The nested pages under a parent (null: the top). `pages` are in the order of their siblings, `path` is the parent's. */
export function pageTree(
  entries: Entry[],
  options: ViewOptions,
  parent: string | null = null,
  path = "",
): PageShape[] {
  return nest(byParent(entries), options, parent, path);
}

/** One page with its children; `line` is the page and the pages above it, innermost first. */
export function pageView(line: Entry[], below: Entry[], options: ViewOptions, body: PageBody): PageShape {
  const above = line.slice(1).reverse();
  const prefix = above.map(({ slug }) => slug).join("/");
  return shape(line[0]!, byParent(below), options, prefix, body);
}

function byParent(entries: Entry[]): Map<string | null, Entry[]> {
  const groups = new Map<string | null, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.parent);
    if (group) group.push(entry);
    else groups.set(entry.parent, [entry]);
  }
  return groups;
}

function nest(
  children: Map<string | null, Entry[]>,
  options: ViewOptions,
  parent: string | null,
  path: string,
): PageShape[] {
  return (children.get(parent) ?? []).map((entry) => shape(entry, children, options, path));
}

function shape(
  entry: Entry,
  children: Map<string | null, Entry[]>,
  options: ViewOptions,
  above: string,
  body: PageBody = {},
): PageShape {
  const { type, emoji, icon, ...props } = entry.props as unknown as PageProps;
  const common = {
    id: entry.id,
    title: entry.title,
    emoji,
    icon,
    createdAt: iso(entry.created_at),
    updatedAt: entry.updated_at ? iso(entry.updated_at) : undefined,
  };
  if (type === "link") {
    const target = props.target!;
    const href = hrefOf(target, options);
    return { ...common, type, kind: "link", target, href, hidden: props.hidden };
  }
  if (type === "computed") return { ...common, type, computed: props.computed! };
  const path = above ? `${above}/${entry.slug}` : entry.slug!;
  const { hidden, noIndex, noRobotsIndex } = props;
  const place = { slug: entry.slug!, path, hidden, noIndex, noRobotsIndex };
  const pages = () => nest(children, options, entry.id, path);
  if (type === "group") return { ...common, type, kind: "group", ...place, pages: pages() };
  return {
    ...common,
    type: "document",
    kind: "sheet",
    urls: { app: options.urls.app`/s/${options.version.space}/${entry.id}` },
    ...place,
    description: props.description,
    git: options.metadata && entry.git_path ? { oid: entry.git_oid ?? "", path: entry.git_path } : undefined,
    layout: layoutOf(props),
    cover: props.cover && ({ ...props.cover, yPos: props.cover.yPos ?? 0 } as never),
    variables: props.variables,
    documentId: props.empty ? undefined : (entry.body ?? undefined),
    ...body,
    pages: pages(),
  };
}

/** Readers of the interface know two sizes of covers: one in the background is as wide as a full one. */
function layoutOf({ layout }: Pick<PageProps, "layout">) {
  const shown = { ...LAYOUT, ...layout };
  if (shown.coverSize === "background") shown.coverSize = "full";
  return shown as typeof LAYOUT;
}

/** Where a link leads to in a browser; absent for what has no address of its own. */
function hrefOf({ kind, ...named }: Target, { urls, version }: ViewOptions): string | undefined {
  const { url, page, space = version.space, anchor } = named as Record<string, string | undefined>;
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

export interface FileProps {
  contentType: string;
  size: number;
  dimensions?: { width: number; height: number };
}

/** A file; `download` makes the address that its content can be fetched from. */
export function fileView(entry: Entry, metadata: boolean, download: (entry: Entry) => string) {
  const { contentType, size, dimensions } = entry.props as unknown as FileProps;
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
export function reusableView({ id, title, body, git_path, git_oid }: Entry, metadata: boolean) {
  const git = metadata && git_path ? { oid: git_oid ?? "", path: git_path } : undefined;
  return { id, title, document: body ?? undefined, git };
}
