/** A place both sides changed differently; each text is the blocks (or frontmatter field) of that side, "" if gone. */
export interface MergeConflict {
  /** The field of the frontmatter that it is about. */
  field?: string;
  base: string;
  ours: string;
  theirs: string;
}

/** Frontmatter as its lines `---`, and a text per top-level field; comments belong to the field below them. */
interface Fields {
  opening: string;
  closing: string;
  texts: Map<string, string>;
}

/** The frontmatter of three versions of a page. */
type Fronts = Record<"base" | "ours" | "theirs", string>;

const FIELD = /^(?:"([^"\\]*)"[ \t]*|'([^']*)'[ \t]*|([^\s#"'&*!|>%@`{}[\],?-][^:#]*)):(?=\s|$)/;

/** Three-way merge of frontmatter (with its `---` lines, or "") field by field, also of fields inside a field. */
export function mergeFields({ base, ours, theirs }: Fronts): { text: string; conflicts: MergeConflict[] } {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  const [b, o, t] = [readFields(base), readFields(ours), readFields(theirs)];
  if (!b || !o || !t) return { text: "", conflicts: [{ base, ours, theirs }] };
  const { texts, conflicts } = mergeAll(b, o, t);
  const text = texts.join("");
  if (text === "" && (ours === "" || theirs === "")) return { text: "", conflicts };
  return { text: either(o.opening, t.opening) + text + either(o.closing, t.closing), conflicts };
}

function mergeAll(base: Fields, ours: Fields, theirs: Fields) {
  const conflicts: MergeConflict[] = [];
  const texts: string[] = [];
  for (const name of orderOf(base, ours, theirs)) {
    const [from, one, two] = [base, ours, theirs].map(({ texts }) => texts.get(name) ?? "") as Three;
    const merged = mergeField(from, one, two);
    if (merged === undefined) conflicts.push({ field: name, base: from, ours: one, theirs: two });
    else texts.push(merged);
  }
  return { texts, conflicts };
}

type Three = [base: string, ours: string, theirs: string];

/** One field of both sides; undefined when they changed it differently. */
function mergeField(...[from, one, two]: Three): string | undefined {
  if (same(one, two)) return either(one, two);
  if (same(two, from)) return one;
  if (same(one, from)) return two;
  return mergeInside(from, one, two);
}

/** A field that holds fields, where both sides changed others of them; undefined when it does not, or they changed one. */
function mergeInside(...versions: Three): string | undefined {
  const inside = openAll(...versions);
  if (!inside) return undefined;
  const { base, ours, theirs } = inside;
  const { texts, conflicts } = mergeAll(base?.fields ?? NONE, ours.fields, theirs.fields);
  if (conflicts.length > 0) return undefined;
  const open = { head: either(ours.head, theirs.head), indent: either(ours.indent, theirs.indent) };
  return closeField(open, texts);
}

/** The fields in a field of both sides and of their base, where each holds fields or there is none. */
function openAll(...[from, one, two]: Three) {
  const [base, ours, theirs] = [openField(from), openField(one), openField(two)];
  if (!ours || !theirs || !same(ours.head, theirs.head)) return undefined;
  if (from !== "" && (!base || !same(base.head, ours.head))) return undefined;
  return { base, ours, theirs };
}

/** A field of fields, as it is written. */
function closeField({ head, indent }: Omit<OpenField, "fields">, texts: string[]): string {
  const inner = texts
    .join("")
    .replaceAll(/[^\n]*\n/g, (line) => (/^\r?\n$/.test(line) ? line : indent + line));
  return inner === "" ? "" : head + inner;
}

const NONE: Fields = { opening: "", closing: "", texts: new Map() };

/** The line that names a field, and the fields below it without their indentation. */
interface OpenField {
  head: string;
  indent: string;
  fields: Fields;
}

function openField(text: string): OpenField | undefined {
  const head = /^(?:[ \t]*#.*\r?\n)*[^\s#][^\r\n]*:[ \t]*\r?\n(?=([ \t]+)\S)/.exec(text);
  if (!head) return undefined;
  const indent = head[1]!;
  const lines = linesOf(text.slice(head[0].length));
  if (lines.some((line) => line.trim() !== "" && !line.startsWith(indent))) return undefined;
  const texts = textsIn(lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)));
  return texts && { head: head[0], indent, fields: { ...NONE, texts } };
}

/**
 * The base's frontmatter with the fields of `ours` where ours and theirs are in conflict and `wanted` is no longer what
 * theirs was; in all conflicts without `wanted`. Of fields inside a field only those. Empty stays empty while no field
 * comes in.
 */
export function takeFields({ base, ours, theirs }: Fronts, wanted?: string): string {
  const [b, o, t] = [readFields(base), readFields(ours), readFields(theirs)];
  if (!b || !o || !t) {
    const conflict = ours !== theirs && theirs !== base && ours !== base;
    return conflict && wanted !== theirs ? ours : base;
  }
  const texts = takeAll(
    { base: b, ours: o, theirs: t },
    wanted === undefined ? undefined : (readFields(wanted) ?? NONE),
  );
  return texts ? either(b.opening, o.opening) + texts.join("") + either(b.closing, o.closing) : base;
}

/** The texts of the base's fields, with those of ours that are taken; undefined when none is. */
function takeAll(
  { base, ours, theirs }: Record<keyof Fronts, Fields>,
  wanted: Fields | undefined,
): string[] | undefined {
  let taken = false;
  const texts = orderOf(base, ours, theirs).map((name) => {
    const versions = [base, ours, theirs].map(({ texts }) => texts.get(name) ?? "") as Three;
    const text = takeField(versions, wanted && (wanted.texts.get(name) ?? ""));
    taken ||= text !== undefined;
    return text ?? versions[0];
  });
  return taken ? texts : undefined;
}

function takeField(versions: Three, wanted: string | undefined): string | undefined {
  const [, one, two] = versions;
  if (mergeField(...versions) !== undefined) return undefined;
  const inside = openAll(...versions);
  if (!inside) return wanted === two ? undefined : one;
  const { base, ours, theirs } = inside;
  const texts = takeAll(
    { base: base?.fields ?? NONE, ours: ours.fields, theirs: theirs.fields },
    wanted === undefined ? undefined : (openField(wanted)?.fields ?? NONE),
  );
  return texts && closeField(base ?? ours, texts);
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
  const lines = linesOf(source);
  const [opening, closing] = [lines.shift() ?? "", lines.pop() ?? ""];
  const texts = textsIn(lines);
  return texts && { opening, closing, texts };
}

/** The lines of a text, each with its end. */
const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];

/** The text of each field, by its name; undefined when the lines are no list of fields. */
function textsIn(lines: string[]): Fields["texts"] | undefined {
  const texts = new Map<string, string>();
  let name: string | undefined;
  let waiting = "";
  for (const line of lines) {
    // Of a field above, an indented one may be a line of its text.
    if (/^(?:#|[ \t]*[\r\n])/.test(line) || (name === undefined && /^[ \t]+#/.test(line))) {
      waiting += line;
      continue;
    }
    const match = FIELD.exec(line);
    const started = match?.[1] ?? match?.[2] ?? match?.[3]?.trimEnd();
    if (started !== undefined) {
      if (texts.has(started)) return undefined;
      name = started;
      texts.set(name, waiting + line);
    } else if (name !== undefined && /^(?:[ \t]|-[ \t\r\n])/.test(line)) {
      texts.set(name, texts.get(name) + waiting + line);
    } else return undefined;
    waiting = "";
  }
  if (waiting !== "") {
    if (name === undefined) return undefined;
    texts.set(name, texts.get(name) + waiting);
  }
  return texts;
}

const same = (one: string, two: string): boolean => plain(one) === plain(two);
const plain = (text: string): string => text.replaceAll(/\r\n?/g, "\n").trim();

/** One of two texts that say the same, whichever side it comes from. */
export const either = (one: string, two: string): string =>
  one.length > two.length || (one.length === two.length && one > two) ? one : two;
