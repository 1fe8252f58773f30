import type { Difference } from "../../store/differences.js";
import { equal } from "../../store/merge-entry.js";
import {
  type Entry,
  type EntryOf,
  type FileEntry,
  ofKind,
  type PageEntry,
  type ReusableContentEntry,
  type VariableEntry,
} from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { pageAttributes } from "./attributes.js";
import type { PageAttributes } from "./schema.js";

interface Both<Changed> {
  before: Changed;
  after: Changed;
}
export type Variables = Record<string, { before?: unknown; after?: unknown }>;

/** What somebody would say was done; pages have no paths yet. */
export type Change =
  | { type: "page_created" | "page_deleted"; entry: PageEntry }
  | ({ type: "page_edited"; attributes: PageAttributes } & Both<PageEntry>)
  | ({ type: "page_moved" } & Both<PageEntry>)
  | { type: "file_created" | "file_deleted"; entry: FileEntry }
  | ({ type: "file_edited" } & Both<FileEntry>)
  | { type: "reusable_content_created" | "reusable_content_deleted"; entry: ReusableContentEntry }
  | ({ type: "reusable_content_edited" } & Both<ReusableContentEntry>)
  | { type: "variables_edited"; variables: Variables };

/** The kinds of entries in the order of their changes. */
const KINDS: Entry["kind"][] = ["page", "file", "reusable"];

/** The place of a change in the list of all, in their order: a page is edited before it is moved. */
export function keyOf(change: Change): string {
  if (change.type === "variables_edited") return "3";
  const { kind, id } = "entry" in change ? change.entry : change.after;
  return `${KINDS.indexOf(kind)} ${id} ${change.type}`;
}

/** The changes that made these differences: pages first, each kind in the order in which its entries came to be. */
export function changesOf(ctx: Pick<Ctx, "urls">, differences: Difference[]): Change[] {
  const pages = changesOfKind(differences, "page", {
    created: (entry) => ({ type: "page_created", entry }),
    deleted: (entry) => ({ type: "page_deleted", entry }),
    changed: (both) => pageChanges(ctx, both),
  });
  const files = changesOfKind(differences, "file", {
    created: (entry) => ({ type: "file_created", entry }),
    deleted: (entry) => ({ type: "file_deleted", entry }),
    changed: (both) => (isEdited(both) ? [{ type: "file_edited", ...both }] : []),
  });
  const reusables = changesOfKind(differences, "reusable", {
    created: (entry) => ({ type: "reusable_content_created", entry }),
    deleted: (entry) => ({ type: "reusable_content_deleted", entry }),
    changed: (both) => (isEdited(both) ? [{ type: "reusable_content_edited", ...both }] : []),
  });
  const variables = variablesOf(ofOneKind(differences, "variable"));
  const changes = [...pages, ...files, ...reusables];
  return Object.keys(variables).length > 0 ? [...changes, { type: "variables_edited", variables }] : changes;
}

/** The differences between entries of one kind. */
const ofOneKind = <Kind extends Entry["kind"]>(differences: Difference[], kind: Kind) =>
  differences
    .map(({ before, after }) => ({ before: ofKind(before, kind), after: ofKind(after, kind) }))
    .filter(({ before, after }) => before ?? after);

/** How differences between entries of one kind are described. */
interface Telling<Changed> {
  created: (entry: Changed) => Change;
  deleted: (entry: Changed) => Change;
  changed: (both: Both<Changed>) => Change[];
}

const changesOfKind = <Kind extends Entry["kind"]>(
  differences: Difference[],
  kind: Kind,
  { created, deleted, changed }: Telling<EntryOf<Kind>>,
): Change[] =>
  ofOneKind(differences, kind).flatMap(({ before, after }) => {
    if (before && after) return changed({ before, after });
    if (after) return [created(after)];
    return before ? [deleted(before)] : [];
  });

function pageChanges(ctx: Pick<Ctx, "urls">, { before, after }: Both<PageEntry>): Change[] {
  const changes: Change[] = [];
  const attributes = pageAttributes(ctx, before, after);
  if (Object.keys(attributes).length > 0) changes.push({ type: "page_edited", before, after, attributes });
  if (before.parent !== after.parent || before.position !== after.position)
    changes.push({ type: "page_moved", before, after });
  return changes;
}

const isEdited = ({ before, after }: Both<Entry>) =>
  before.title !== after.title || before.body !== after.body || !equal(before.props, after.props);

/** By name: one that was renamed is gone under the old name and new under the other. */
function variablesOf(differences: Partial<Both<VariableEntry>>[]): Variables {
  const variables: Variables = {};
  for (const { before, after } of differences) {
    if (before) variables[before.title] = { ...variables[before.title], before: before.props.value };
    if (after) variables[after.title] = { ...variables[after.title], after: after.props.value };
  }
  return Object.fromEntries(
    Object.entries(variables).filter(([, { before, after }]) => !equal(before, after)),
  );
}
