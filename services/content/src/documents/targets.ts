import type { Address, Ref, Resolve } from "@octavo/markdown/document/refs";
import type { EntryKind } from "../db/tables/store.js";
import { relativeParts } from "./addresses.js";

interface Named {
  id: string;
  kind: EntryKind;
}

/** A file of the repository that is none of the space's, by its path from the folder of the content. */
interface InRepository {
  kind: "repository";
  path: string;
}

/** Something on the web. */
interface OnWeb {
  kind: "url";
  url: string;
}

/** What relative addresses in a text lead to, by their paths. */
export type Targets = Map<string, Named | InRepository | OnWeb>;

/** Reads relative addresses as refs to what they lead to. */
export function resolveTo(targets: Targets): Resolve {
  return (url) => {
    const parts = url.includes("?") ? undefined : relativeParts(url);
    const target = parts && targets.get(parts.path);
    return target && refTo(target, parts.anchor);
  };
}

function refTo(target: Named | InRepository | OnWeb, anchor: string | null): Ref | undefined {
  if (target.kind === "repository") return undefined;
  if (target.kind === "url")
    return { kind: "url", url: target.url + (anchor === null ? "" : `#${encodeURIComponent(anchor)}`) };
  const { id, kind } = target;
  if (kind === "file") return { kind, file: id };
  if (kind === "reusable") return { kind: "reusable-content", reusableContent: id };
  return anchor === null ? { kind: "page", page: id } : { kind: "anchor", anchor, page: id };
}

/** What documents name, by its id, and the relative address that it has from the page that a document is of. */
export type Addresses = Map<string, string>;

/** Writes refs as these addresses. */
export const addressBy =
  (addresses: Addresses): Address =>
  (ref) => {
    const address = addresses.get(idOf(ref) ?? "");
    return address === undefined || ref.kind !== "anchor" ? address : `${address}#${ref.anchor}`;
  };

/** The id of what a ref names inside its own space. */
export function idOf({ kind, space, ...ref }: Ref): string | undefined {
  if (space !== undefined) return undefined;
  const field = ID_FIELDS[kind];
  const id = field && ref[field];
  return typeof id === "string" ? id : undefined;
}

/** The field of a ref that holds the id of what it names inside its own space, by its kind. */
export const ID_FIELDS: Partial<Record<string, "page" | "file" | "reusableContent">> = {
  page: "page",
  anchor: "page",
  file: "file",
  "reusable-content": "reusableContent",
};
