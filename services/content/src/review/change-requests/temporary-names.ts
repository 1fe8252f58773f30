import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { refsIn } from "../../documents/refs.js";
import { ID_FIELDS } from "../../documents/targets.js";
import { type Draft, draftEntries } from "../../pages/editing/draft.js";
import type { Ctx } from "../../trpc.js";
import type { Change } from "./schema.js";

interface Named {
  id: string;
  kind: "page" | "file" | "reusableContent";
  /** Where in the request the name is given. */
  path: string;
}
/** What a request adds, by the temporary names that it gives. */
export type Names = Map<string, Named>;

/** The names that changes give, each with the id of what will have it; 400 for one that is given twice. */
export function namesIn(changes: Change[]): Names {
  const names: Names = new Map();
  const give = (name: string | undefined, kind: Named["kind"], path: string) => {
    if (name === undefined) return;
    if (names.has(name)) refuseAt(path, `${names.get(name)!.path} has this name already`);
    names.set(name, { id: newId(), kind, path });
  };
  for (const [at, change] of changes.entries()) {
    const path = `body.changes.${at}`;
    if (change.operation === "insert_page") give(change.ref, "page", `${path}.ref`);
    if (change.operation === "insert_reusable_content") give(change.ref, "reusableContent", `${path}.ref`);
    if (change.operation === "insert_files")
      for (const [index, { ref }] of change.files.entries()) give(ref, "file", `${path}.files.${index}.ref`);
  }
  return names;
}

/** The id, or temporary name, of what a change is about; an insertion has none. */
export function idIn(change: Change): string | undefined {
  if ("page" in change) return change.page;
  if ("file" in change) return change.file;
  return "reusableContent" in change ? change.reusableContent : undefined;
}

/** 400 for a name that is the id of something that is there: it could be meant as either. */
export async function checkNames(ctx: Ctx, draft: Draft, names: Names): Promise<void> {
  for (const taken of (await draftEntries(ctx, draft, [...names.keys()])).keys())
    refuseAt(names.get(taken)!.path, "is the id of something that is there");
}

/** A document whose refs hold ids in place of names. */
export function withIds(document: JSONDocument, names: Names): JSONDocument {
  if (names.size === 0) return document;
  const copy = structuredClone(document);
  for (const ref of refsIn(copy)) {
    if (ref.space !== undefined) continue;
    const field = ID_FIELDS[ref.kind];
    const meant = field && names.get(String(ref[field]));
    if (meant && meant.kind === field) ref[field] = meant.id;
  }
  return copy;
}
