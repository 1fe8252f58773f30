import type { Operation } from "@octavo/html/openapi/schema";
import type { FileTarget, Page, Target } from "@octavo/html/page";
import type { Words } from "@octavo/html/words";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { pathOf } from "./find.js";
import type { Place } from "./places.js";
import type { Site } from "./site.js";
import type { Entry, Space } from "./space.js";

/** What links take of a page. */
type LinkedPage = Pick<Entry, "id" | "title" | "description" | "emoji" | "icon" | "path">;

/** What links take of a space: all of it, or what one document names. */
export interface Linked {
  byId: ReadonlyMap<string, LinkedPage>;
  files: Space["files"];
  /** The first page, whose path is that of the space. */
  order: readonly LinkedPage[];
}

/** Spaces and included documents that a page refers to, by their ids. */
export interface Referred<Of extends Linked = Linked> {
  spaces: Map<string, Of>;
  reusables: Map<string, JSONDocument>;
  /** Operations, webhooks and schemas of APIs, by their keys. */
  operations?: Map<string, Operation>;
}

/** What identifies an operation of a page: its specification or the file that holds that, its method and its path. */
export const operationKey = (of: Record<string, unknown>, method: string, path: string): string =>
  JSON.stringify([of.spec ?? null, of.file ?? null, method, path]);

/** What identifies a webhook of a page, as no path does. */
export const webhookKey = (of: Record<string, unknown>, method: string, name: string): string =>
  operationKey(of, method, `webhook ${name}`);

/** What identifies the schemas of a specification that a page shows. */
export const schemasKey = (of: Record<string, unknown>): string => operationKey(of, "", "schemas");

/** A path of a page as it stands in an address. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Of a page that refers to nothing but pages of its own space. */
export const NOTHING_REFERRED: Referred = { spaces: new Map(), reusables: new Map() };

/** The path of what lies beside the pages of a space. */
export const specialPath = ({ base }: Pick<Place, "base">, name: string): string => `${base}~octavo/${name}`;

/** Makes what a reference to a page leads to. */
type TargetOf = (space: Linked, base: string, entry: LinkedPage) => Target;

/** What the references of a document lead to on this site; what the visitor does not see leads nowhere. */
export function linksOn(
  place: Pick<Place, "space" | "base" | "siteCanonical">,
  site: Pick<Site, "spaces" | "newTab"> & { words: { document: Words } },
  space: Linked,
  { spaces, reusables, operations }: Referred,
  targetOf: TargetOf = pageTargetOf,
): Page {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

  function spaceWith(ref: Ref): { space: Linked; base: string } | undefined {
    const id = text(ref.space);
    if (id === undefined || id === place.space) return { space, base: place.base };
    const known = spaces.get(id);
    const base = site.spaces.find((one) => one.space === id)?.href;
    return known && base !== undefined ? { space: known, base } : undefined;
  }

  function pageTarget(ref: Ref): Target | undefined {
    const at = spaceWith(ref);
    const entry = at?.space.byId.get(text(ref.page) ?? "");
    return entry && entry.path !== undefined ? targetOf(at!.space, at!.base, entry) : undefined;
  }

  function link(ref: Ref): Target | undefined {
    if (ref.kind === "url") {
      const url = text(ref.url) ?? "";
      // A path that content could not resolve leads nowhere here either.
      return /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(url) ? { href: url } : undefined;
    }
    if (ref.kind === "page") return pageTarget(ref);
    if (ref.kind === "anchor") {
      const anchor = encodeURIComponent(text(ref.anchor) ?? "");
      if (ref.page === undefined) return { href: `#${anchor}` };
      const page = pageTarget(ref);
      return page && { ...page, href: `${page.href}#${anchor}` };
    }
    if (ref.kind === "space") {
      const found = site.spaces.find((one) => one.space === ref.space);
      return found && { href: found.href, title: found.title };
    }
    if (ref.kind !== "file") return undefined;
    const found = file(ref);
    return found && { href: found.href, title: found.name };
  }

  function file(ref: Ref): FileTarget | undefined {
    if (ref.kind === "url") {
      const url = text(ref.url) ?? "";
      return /^https?:\/\//i.test(url) ? { href: url, name: url.split("/").at(-1) || url } : undefined;
    }
    const found = ref.kind === "file" ? space.files.get(text(ref.file) ?? "") : undefined;
    if (!found) return undefined;
    const { hash, name, size, dimensions } = found;
    const href = `${place.base}~octavo/files/${hash}/${encodeURIComponent(name.replaceAll("/", "_"))}`;
    return { href, name, size, ...dimensions };
  }

  return {
    link,
    file,
    reusable: (ref) => reusables.get(text(ref.reusableContent) ?? ""),
    operation: (ref, { method, path }) => operations?.get(operationKey(ref, method, path)),
    webhook: (ref, { method, name }) => operations?.get(webhookKey(ref, method, name)),
    schemas: (ref) => operations?.get(schemasKey(ref))?.references,
    site: place.siteCanonical,
    newTab: site.newTab,
    words: site.words.document,
  };
}

/** A page as what leads to it shows it. */
export const pageTargetOf: TargetOf = (space, base, entry) => {
  const { title, description, emoji, icon } = entry;
  return { href: base + encodedPath(pathOf(space, entry)), title, description, emoji, icon };
};

/** The hash in the path of a file below a space; undefined for other paths. */
export const hashIn = (path: string): string | undefined => /^~octavo\/files\/([\w-]{43})\//.exec(path)?.[1];
