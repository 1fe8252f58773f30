import { isAbsoluteUrl } from "../text/destination.js";

/** What a link in a document leads to, by its kind and ids: a type, so that it fits where any further field is allowed. */
export type Ref = { kind: string; [field: string]: unknown };
/** What a path or URL in markdown leads to; undefined keeps it as a url. */
export type Resolve = (url: string) => Ref | undefined;
/** What to write for a ref; undefined writes the `/broken/…` address that always reads back as the same ref. */
export type Address = (ref: Ref) => string | undefined;

const BROKEN =
  /^\/broken\/(?:spaces\/([^/?#]+)\/)?(pages|files|spaces|users|collections|includes|openapi)\/([^/?#]+)$/;
const KINDS = {
  pages: ["page", "page"],
  files: ["file", "file"],
  spaces: ["space", "space"],
  users: ["user", "user"],
  collections: ["collection", "collection"],
  includes: ["reusable-content", "reusableContent"],
  openapi: ["openapi", "spec"],
} as const;

/** Reads the address of a link. */
export function refOf(url: string, resolve?: Resolve): Ref {
  const found = resolve?.(url) ?? anchored(url) ?? broken(url);
  if (!found) return { kind: "url", url };
  const ref = { ...found };
  written.set(ref, url);
  return ref;
}

/** The addresses that refs were read from. */
const written = new WeakMap<object, string>();

/** How a ref that was read is written in its source, whatever it leads to; undefined for other values. */
export function addressIn(ref: object): string | undefined {
  const { kind, url } = ref as Ref;
  return written.get(ref) ?? (kind === "url" && typeof url === "string" ? url : undefined);
}

function anchored(url: string): Ref | undefined {
  const at = url.indexOf("#");
  if (at < 0 || isAbsoluteUrl(url)) return undefined;
  const anchor = url.slice(at + 1);
  if (at === 0) return anchor === "" ? undefined : { kind: "anchor", anchor };
  const page = broken(url.slice(0, at));
  if (page?.kind !== "page") return undefined;
  return { kind: "anchor", anchor, page: page.page, ...(page.space !== undefined && { space: page.space }) };
}

function broken(url: string): Ref | undefined {
  const match = BROKEN.exec(url);
  if (!match) return undefined;
  const [, space, kinds, id] = match;
  const [kind, field] = KINDS[kinds as keyof typeof KINDS];
  try {
    const within = space === undefined ? {} : { space: decodeURIComponent(space) };
    return { kind, [field]: decodeURIComponent(id!), ...within };
  } catch {
    return undefined;
  }
}

/** Writes the address of a ref. */
export function addressOf(ref: unknown, address?: Address): string {
  const known = (ref ?? {}) as Ref;
  const found = address?.(known);
  if (found !== undefined) return found;
  if (known.kind === "url") return String(known.url ?? "");
  if (known.kind === "anchor") {
    const page = known.page === undefined ? "" : brokenAddress("pages", known.page, known.space);
    return `${page}#${known.anchor ?? ""}`;
  }
  for (const [kinds, [kind, field]] of Object.entries(KINDS)) {
    if (known.kind === kind) return brokenAddress(kinds, known[field], known.space, kind);
  }
  return "";
}

const brokenAddress = (kinds: string, id: unknown, space?: unknown, kind?: string): string => {
  const within =
    space === undefined || kind === "space" ? "" : `spaces/${encodeURIComponent(String(space))}/`;
  return `/broken/${within}${kinds}/${encodeURIComponent(String(id))}`;
};
