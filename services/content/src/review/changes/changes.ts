import { equal } from "../../store/combine.js";
import type { Difference } from "../../store/differences.js";
import type { Entry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { pageAttributes } from "./attributes.js";
import type { PageAttributes } from "./schema.js";

interface Both {
  before: Entry;
  after: Entry;
}
type Thing = "page" | "file" | "reusable_content";
export type Variables = Record<string, { before?: unknown; after?: unknown }>;

/** What somebody would say was done; pages have no paths yet. */
export type Change =
  | { type: `${Thing}_created` | `${Thing}_deleted`; entry: Entry }
  | ({ type: "page_edited"; attributes: PageAttributes } & Both)
  | ({ type: "page_moved" | "file_edited" | "reusable_content_edited" } & Both)
  | { type: "variables_edited"; variables: Variables };

const THINGS = [
  ["page", "page"],
  ["file", "file"],
  ["reusable", "reusable_content"],
] as const;

/** The place of a change in the list of all, in their order: a page is edited before it is moved. */
export function keyOf(change: Change): string {
  if (change.type === "variables_edited") return "3";
  const { kind, id } = "entry" in change ? change.entry : change.after;
  return `${THINGS.findIndex(([one]) => one === kind)} ${id} ${change.type}`;
}

/** The changes that made these differences: pages first, each kind in the order in which its entries came to be. */
export function changesOf(ctx: Pick<Ctx, "urls">, differences: Difference[]): Change[] {
  const of = (kind: Entry["kind"]) =>
    differences.filter(({ before, after }) => (after ?? before)?.kind === kind);
  const changes = THINGS.flatMap(([kind, thing]) =>
    of(kind).flatMap((difference) => changesOfOne(ctx, thing, difference)),
  );
  const variables = variablesOf(of("variable"));
  return Object.keys(variables).length > 0 ? [...changes, { type: "variables_edited", variables }] : changes;
}

function changesOfOne(ctx: Pick<Ctx, "urls">, thing: Thing, { before, after }: Difference): Change[] {
  if (!before) return after ? [{ type: `${thing}_created`, entry: after }] : [];
  if (!after) return [{ type: `${thing}_deleted`, entry: before }];
  if (thing !== "page") return edited(before, after) ? [{ type: `${thing}_edited`, before, after }] : [];
  const changes: Change[] = [];
  const attributes = pageAttributes(ctx, before, after);
  if (Object.keys(attributes).length > 0) changes.push({ type: "page_edited", before, after, attributes });
  if (before.parent !== after.parent || before.position !== after.position)
    changes.push({ type: "page_moved", before, after });
  return changes;
}

const edited = (before: Entry, after: Entry) =>
  before.title !== after.title || before.body !== after.body || !equal(before.props, after.props);

/** By name: one that was renamed is gone under the old name and new under the other. */
function variablesOf(differences: Difference[]): Variables {
  const variables: Variables = {};
  for (const { before, after } of differences) {
    if (before) variables[before.title] = { ...variables[before.title], before: before.props.value };
    if (after) variables[after.title] = { ...variables[after.title], after: after.props.value };
  }
  return Object.fromEntries(
    Object.entries(variables).filter(([, { before, after }]) => !equal(before, after)),
  );
}
