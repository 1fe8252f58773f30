import type { Ref, Resolve } from "@octavo/markdown/document/refs";
import type { Entry } from "../store/version.js";
import { relativeParts } from "./addresses.js";

/** What relative addresses in a text lead to, by their paths. */
export type Targets = Map<string, Pick<Entry, "id" | "kind">>;

/** Reads relative addresses as refs to what they lead to. */
export function resolveTo(targets: Targets): Resolve {
  return (url) => {
    const parts = url.includes("?") ? undefined : relativeParts(url);
    const target = parts && targets.get(parts.path);
    return target && refTo(target, parts.anchor);
  };
}

function refTo({ id, kind }: Pick<Entry, "id" | "kind">, anchor: string | null): Ref | undefined {
  if (kind === "file") return { kind, file: id };
  if (kind === "reusable") return { kind: "reusable-content", reusableContent: id };
  return anchor === null ? { kind: "page", page: id } : { kind: "anchor", anchor, page: id };
}
