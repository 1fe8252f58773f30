import { type Ref, refOf } from "@octavo/markdown/document/refs";
import type { Reference } from "@octavo/markdown/links/references";
import { decodePercent, isAbsoluteUrl, resolvePath } from "@octavo/markdown/text/destination";

/** What a reference says by itself, without a look at what there is. */
export interface Meaning {
  kind: string;
  url: string;
  path: string | null;
  anchor: string | null;
  target: string | null;
  target_space: string | null;
}

/** In bytes: longer ones lead nowhere, and would not fit into an index. */
const LONGEST = 1000;

/** The address of something inside the space: its path from the folder it is written in, decoded, and the anchor. */
export function relativeParts(url: string): { path: string; anchor: string | null } | undefined {
  if (isAbsoluteUrl(url)) return undefined;
  const { path = "", anchor } = /^(?<path>[^?#]*)(?:\?[^#]*)?(?:#(?<anchor>.*))?$/s.exec(url)?.groups ?? {};
  if (path === "") return undefined;
  return { path: decodePercent(path), anchor: anchor ? decodePercent(anchor) : null };
}

/** Where an address is written. */
interface Written {
  source: string;
  /** The folder that relative addresses start from. */
  folder: string;
  /** What addresses of the application begin with. */
  app: string;
}

/** Reads an address that is written in a source. */
export function meaningOf({ kind, url }: Reference, { source, folder, app }: Written): Meaning {
  const shown = url.slice(0, 2048);
  if (kind === "openapi") return outside("openapi", shown, url);
  const ref = refOf(url);
  if (ref.kind !== "url") return { ...meaningOfRef(ref, source), url: shown };
  const parts = relativeParts(url);
  if (!parts) return meaningOfAddress(url, app) ?? outside("url", shown, null);
  const path = absolutePath(folder, parts.path) ?? null;
  return {
    ...outside("path", shown, null),
    path: path && clean(path),
    anchor: parts.anchor && clean(parts.anchor),
  };
}

const OF_SPACE = /^s\/([\w-]{1,64})(?:\/([^?#]*))?(?:\?[^#]*)?(?:#(.*))?$/s;
/** What the application shows of a space besides its pages. */
const OTHER_PLACES = /^(?:revisions|change-requests|~)\//;

/** An address of the application that names a space, or a page by its id or its path of slugs. */
function meaningOfAddress(url: string, app: string): Meaning | undefined {
  const [, space, rest = "", anchor] = (url.startsWith(app) && OF_SPACE.exec(url.slice(app.length))) || [];
  if (space === undefined || OTHER_PLACES.test(rest)) return undefined;
  const path = clean(decodePercent(rest).replace(/^\/+|\/+$/g, ""));
  if (path === null) return undefined;
  const shown = url.slice(0, 2048);
  if (path === "") return { ...outside("space", shown, space), target_space: space };
  return {
    ...outside("path", shown, null),
    path,
    anchor: anchor ? clean(decodePercent(anchor)) : null,
    target_space: space,
  };
}

/** A reference to something that is named by its id. */
export function meaningOfRef(ref: Ref, source: string): Meaning {
  const { kind, space, anchor } = ref as Record<string, string | undefined>;
  const url = kind === "url" ? String(ref.url ?? "").slice(0, 2048) : (anchor ?? "");
  const target = kind === "anchor" ? (ref.page ?? source) : ref[FIELD[kind!] ?? kind!];
  if (kind === "url" || typeof target !== "string") return outside("url", url, null);
  return {
    ...outside(kind === "anchor" ? "page" : kind!, url, target),
    anchor: kind === "anchor" && anchor ? clean(decodePercent(anchor)) : null,
    target_space: kind === "space" ? clean(target) : space ? clean(space) : null,
  };
}

const FIELD: Record<string, string> = { "reusable-content": "reusableContent", openapi: "spec" };

const outside = (kind: string, url: string, target: string | null): Meaning => ({
  kind,
  url,
  path: null,
  anchor: null,
  target: target === null ? null : clean(target),
  target_space: null,
});

/** A path that is written in a folder as a path from the top of the space; undefined when it leaves the space. */
const absolutePath = (folder: string, path: string): string | undefined =>
  path.startsWith("/") ? resolvePath("", path) : resolvePath(folder, path);

const clean = (text: string): string | null =>
  Buffer.byteLength(text) > LONGEST || text.includes("\0") ? null : text;

/** Where a text may lie that is meant by a path, in the order of preference. */
export function filesMeantBy(path: string): string[] {
  if (path === "") return ["README.md"];
  return [path, `${path}/README.md`, `${path}.md`];
}

/** The slugs of the page that is meant by a path. */
export const slugsMeantBy = (path: string): string[] =>
  path
    .replace(/\.(?:md|markdown)$/i, "")
    .replace(/(?:^|\/)(?:README|index)$/i, "")
    .split("/")
    .filter((slug) => slug !== "");
