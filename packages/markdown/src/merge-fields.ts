import type { MergeConflict } from "./merge.js";

/** Frontmatter as its lines `---`, and a text per top-level field; comments belong to the field below them. */
interface Fields {
  opening: string;
  closing: string;
  texts: Map<string, string>;
}

/** The frontmatter of three versions of a page. */
type Fronts = Record<"base" | "ours" | "theirs", string>;

const FIELD = /^(?:"([^"\\]*)"[ \t]*|'([^']*)'[ \t]*|([^\s#"'&*!|>%@`{}[\],?-][^:#]*)):(?=\s|$)/;

/** Three-way merge of frontmatter (with its `---` lines, or "") field by field. */
export function mergeFields({ base, ours, theirs }: Fronts): { text: string; conflicts: MergeConflict[] } {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  const [b, o, t] = [readFields(base), readFields(ours), readFields(theirs)];
  if (!b || !o || !t) return { text: "", conflicts: [{ base, ours, theirs }] };
  const conflicts: MergeConflict[] = [];
  const texts: string[] = [];
  for (const name of orderOf(b, o, t)) {
    const [from, one, two] = [b.texts.get(name) ?? "", o.texts.get(name) ?? "", t.texts.get(name) ?? ""];
    if (same(one, two)) texts.push(either(one, two));
    else if (same(two, from)) texts.push(one);
    else if (same(one, from)) texts.push(two);
    else conflicts.push({ field: name, base: from, ours: one, theirs: two });
  }
  const text = texts.join("");
  if (text === "" && (ours === "" || theirs === "")) return { text: "", conflicts };
  return { text: either(o.opening, t.opening) + text + either(o.closing, t.closing), conflicts };
}

/**
 * The base's frontmatter with the fields of `ours` where ours and theirs are in conflict and `decided` says so. Empty
 * stays empty while no field comes in.
 */
export function takeFields(
  { base, ours, theirs }: Fronts,
  decided: (name: string | undefined) => boolean,
): string {
  const [b, o, t] = [readFields(base), readFields(ours), readFields(theirs)];
  if (!b || !o || !t) {
    const conflict = ours !== theirs && theirs !== base && ours !== base;
    return conflict && decided(undefined) ? ours : base;
  }
  let taken = false;
  const texts = orderOf(b, o, t).map((name) => {
    const [from, one, two] = [b.texts.get(name) ?? "", o.texts.get(name) ?? "", t.texts.get(name) ?? ""];
    const conflict = !same(one, two) && !same(two, from) && !same(one, from);
    if (!conflict || !decided(name)) return from;
    taken = true;
    return one;
  });
  return taken ? either(b.opening, o.opening) + texts.join("") + either(b.closing, o.closing) : base;
}

/** The text of one field in frontmatter; all of it where it cannot be read field by field. */
export function fieldIn(front: string, name: string | undefined): string {
  return name === undefined ? front : (readFields(front)?.texts.get(name) ?? "");
}

/** The names in the order of the side that changed it; what is new elsewhere comes last, by name. */
function orderOf(base: Fields, ours: Fields, theirs: Fields): string[] {
  const names = ({ texts }: Fields) => [...texts.keys()];
  const moved = (side: Fields) => names(side).join("\n") !== names(base).join("\n");
  const first = names(!moved(theirs) ? ours : !moved(ours) ? theirs : base);
  const known = new Set(first);
  const rest = new Set([base, ours, theirs].flatMap(names).filter((name) => !known.has(name)));
  return [...first, ...[...rest].sort()];
}

function readFields(source: string): Fields | undefined {
  const lines = source.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const fields: Fields = { opening: lines.shift() ?? "", closing: lines.pop() ?? "", texts: new Map() };
  let name: string | undefined;
  let waiting = "";
  for (const line of lines) {
    if (/^[ \t]*(?:#|\r?\n|\r)/.test(line)) {
      waiting += line;
      continue;
    }
    const match = FIELD.exec(line);
    const started = match?.[1] ?? match?.[2] ?? match?.[3]?.trimEnd();
    if (started !== undefined) {
      if (fields.texts.has(started)) return undefined;
      name = started;
      fields.texts.set(name, waiting + line);
    } else if (name !== undefined && /^(?:[ \t]|-[ \t\r\n])/.test(line)) {
      fields.texts.set(name, fields.texts.get(name) + waiting + line);
    } else return undefined;
    waiting = "";
  }
  if (waiting !== "") {
    if (name === undefined) return undefined;
    fields.texts.set(name, fields.texts.get(name) + waiting);
  }
  return fields;
}

const same = (one: string, two: string): boolean => plain(one) === plain(two);
const plain = (text: string): string => text.replaceAll(/\r\n?/g, "\n").trim();

/** One of two texts that say the same, whichever side it comes from. */
export const either = (one: string, two: string): string =>
  one.length > two.length || (one.length === two.length && one > two) ? one : two;
