import { hashOf } from "./bodies.js";
import {
  combine,
  equal,
  FIELDS,
  type Fields,
  fieldsInConflict,
  placeOf,
  type Sides,
  same,
  type Texts,
  withFields,
} from "./merge-entry.js";
import type { Entry } from "./version.js";

/** Where the common ancestor of an entry moves to, and its text when that is a new one. */
export interface Decision {
  base: Entry | undefined;
  text?: string;
}

/** What was reported of an entry, and what a change request made of it since. */
interface Question extends Sides {
  /** What it is now. */
  wanted: Entry | undefined;
  /** The change named the entry and left it as it was: it shall stay so. */
  confirmed: boolean;
  /** Its place is in conflict for the sake of other pages: where the primary's stands nothing can stand here. */
  misplaced: boolean;
}

/**
 * What a change decides about an entry whose conflict was reported: the parts in conflict that are no longer what was
 * reported, or all of them when it was confirmed as it is. In these parts the common ancestor becomes the primary's
 * version that was reported, so that a merge takes the change request's for as long as the primary's stays that one.
 * All other parts keep their ancestor: what nobody decided is still in conflict, and what does not conflict still
 * comes in. Undefined when nothing is decided.
 */
export async function decide(question: Question, known: Texts): Promise<Decision | undefined> {
  const { textOf } = known;
  const { base, primary, own, wanted, confirmed, misplaced } = question;
  if (same(wanted, primary)) return same(base, primary) ? undefined : { base: primary };
  // That it is gone can be confirmed of what the change request does not show, and of nothing else.
  if (confirmed && !wanted) return { base: primary };
  const reported = confirmed ? wanted : own;
  const combined = await combine({ base, primary, own: reported }, known);
  const properties = new Set("conflict" in combined ? combined.conflict.properties : []);
  if (misplaced) properties.add("position");
  if (!reported || properties.size === 0 || (!confirmed && same(own, wanted))) return undefined;
  // Of what is there on one side alone, any change says whether it shall be.
  if (!wanted || !primary) return { base: primary };
  if (!base) return confirmed ? { base: primary } : undefined;
  const parts = [...properties].flatMap((name): Part[] => {
    const inner = fieldsInConflict(name, partOf(base, name), partOf(primary, name), partOf(reported, name));
    return inner ? inner.map((field) => [name, field]) : [[name]];
  });
  const decided = parts.filter(
    (part) => confirmed || !equal(partOf(reported, ...part), partOf(wanted, ...part)),
  );
  if (decided.length === 0) return undefined;
  const moved = decided.reduce((entry, part) => withPart(entry, part, primary), base);
  if (
    !decided.some(([name]) => name === "document") ||
    !base.body ||
    !primary.body ||
    !reported.body ||
    wanted.kind === "file"
  )
    return { base: moved };
  const texts = { base: textOf(base.body), ours: textOf(primary.body), theirs: textOf(reported.body) };
  const text = await known.decide(
    texts,
    confirmed ? undefined : wanted.body === null ? "" : textOf(wanted.body),
  );
  return { base: withFields(moved, { body: hashOf(text) }), text };
}

const isField = (name: string): name is (typeof FIELDS)[number] =>
  (FIELDS as readonly string[]).includes(name);

/** A property that conflicts are named by, or a field inside one. */
type Part = [name: string, field?: string];

/** What an entry has there. */
export function partOf(entry: Entry, ...[name, field]: Part): unknown {
  if (name === "document") return entry.body;
  if (name === "position") return placeOf(entry);
  const props: Fields = entry.props;
  if (field !== undefined) return (props[name] as Fields | undefined)?.[field];
  return isField(name) ? entry[name] : props[name];
}

function withPart(entry: Entry, [name, field]: Part, from: Entry): Entry {
  if (name === "document") return withFields(entry, { body: from.body, git_oid: from.git_oid });
  if (name === "position") return withFields(entry, { ...placeOf(from) });
  if (isField(name)) return withFields(entry, { [name]: from[name] });
  const value = partOf(from, name, field);
  const fields =
    field === undefined ? value : { ...(partOf(entry, name) as Fields | undefined), [field]: value };
  return withFields(entry, { props: { ...entry.props, [name]: fields } });
}
