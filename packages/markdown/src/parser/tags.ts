type Data = Record<string, unknown>;

/** `{% name key="value" %}`. `text` is a value before the keys, as in `{% if visitor.x %}` and `{% include "a.md" %}`. */
export interface Tag {
  name: string;
  /** Everything between the name and `%}`. */
  source: string;
  attrs: Data;
  /** Where the tag ends in the line. */
  end: number;
  /** Whether it is written as an element around markdown. */
  element?: true;
}

const OPEN = /\{%-?[ \t]*([@\w][\w/.@-]*)/y;
const ATTR = /[ \t]*([A-Za-z_][\w.:-]*)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'%]+))/y;

/** The tag that starts at `at`, on one line; undefined when it is not closed there. */
export function readTag(line: string, at = 0): Tag | undefined {
  OPEN.lastIndex = at;
  const open = OPEN.exec(line);
  if (!open) return undefined;
  const end = tagEnd(line, OPEN.lastIndex);
  if (end < 0) return undefined;
  const source = line
    .slice(OPEN.lastIndex, end - 2)
    .replace(/-$/, "")
    .trim();
  return { name: open[1]!, source, attrs: readAttrs(source), end };
}

/** Behind the `%}` that is not in quotes; without an even number of quotes, behind the first one. */
function tagEnd(line: string, from: number): number {
  const first = line.indexOf("%}", from);
  if (first < 0 || !line.slice(from, first).includes('"')) return first < 0 ? -1 : first + 2;
  let quoted = false;
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === "\\" && quoted) at += 1;
    else if (line[at] === '"') quoted = !quoted;
    else if (!quoted && line.startsWith("%}", at)) return at + 2;
  }
  return first + 2;
}

function readAttrs(source: string): Data {
  const attrs: Data = {};
  ATTR.lastIndex = 0;
  for (let match = ATTR.exec(source); match; match = ATTR.exec(source)) {
    const [, key, double, single, bare] = match;
    attrs[key!] = double === undefined ? (single ?? scalar(bare!)) : unquoted(double);
  }
  return attrs;
}

const scalar = (text: string): unknown => {
  if (text === "true" || text === "false") return text === "true";
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) && text === String(Number(text))
    ? Number(text)
    : text;
};

const unquoted = (text: string): string =>
  text.replace(/\\(["\\n])/g, (_, one: string) => (one === "n" ? "\n" : one));

/** Returns text in double quotes, with quotes, backslashes and line breaks escaped. */
export const quoted = (text: string): string =>
  `"${text.replace(/["\\]/g, "\\$&").replace(/\r\n?|\n/g, "\\n")}"`;

/** `{% name key="value" %}`; undefined and null values are left out, booleans and numbers are quoted as text. */
export function writeTag(name: string, attrs: Data = {}, text = ""): string {
  const words = Object.entries(attrs)
    .filter(([key, value]) => value !== undefined && value !== null && /^[A-Za-z_][\w.:-]*$/.test(key))
    .map(
      ([key, value]) => `${key}=${quoted(typeof value === "object" ? JSON.stringify(value) : String(value))}`,
    );
  return ["{%", name, text, ...words, "%}"].filter((part) => part !== "").join(" ");
}

/** `"true"` and `"false"` are booleans in a document. */
export const flag = (value: unknown): unknown =>
  value === "true" ? true : value === "false" ? false : value;
