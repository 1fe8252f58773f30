import { Document, isCollection, isMap, isScalar, type Node, type Pair, stringify, YAMLMap } from "yaml";
import { isRecord } from "./record.js";
import { type Problem, readYaml } from "./yaml.js";

/** Where the frontmatter stands: `start`..`end` is its YAML, `after` the first character behind its last line. */
export interface FrontmatterRange {
  start: number;
  end: number;
  after: number;
}
/** `doc` is there when the YAML is a sound map (or empty); without it the range counts as text. */
export interface Frontmatter {
  range?: FrontmatterRange;
  doc?: Document;
  fields: Record<string, unknown>;
  problems: Problem[];
}

/** Texts stay on one line. */
const STYLE = { lineWidth: 0, blockQuote: false, doubleQuotedAsJSON: true } as const;

/** Finds frontmatter: `---` as the very first line, then a field, then a line `---` or `...`. Does not read its YAML. */
export function findFrontmatter(markdown: string): FrontmatterRange | undefined {
  const opening = /^\uFEFF?---[ \t]*(?:\r\n|\r|\n)/.exec(markdown);
  if (!opening) return undefined;
  const start = opening[0].length;
  const line = /([^\r\n]*)(\r\n|\r|\n|$)/y;
  let field = false;
  for (let at = start; at < markdown.length; at = line.lastIndex) {
    line.lastIndex = at;
    const text = line.exec(markdown)?.[1] ?? "";
    if (/^(?:---|\.\.\.)[ \t]*$/.test(text)) return { start, end: at, after: line.lastIndex };
    if (field || text.trim() === "" || text.startsWith("#")) continue;
    if (!/^(?:[\w"'-][^:]*:(?:\s|$)|\{)/.test(text)) return undefined;
    field = true;
  }
  return undefined;
}

/** Reads the frontmatter's fields. Broken YAML is a problem, never an exception. */
export function readFrontmatter(markdown: string): Frontmatter {
  const range = findFrontmatter(markdown);
  if (!range) return { fields: {}, problems: [] };
  const read = readYaml(markdown.slice(range.start, range.end));
  const broken = (line: number, message: string) => {
    return { range, fields: {}, problems: [{ line, message: `the frontmatter is ${message}` }] };
  };
  if ("problem" in read) return broken(read.problem.line + 1, read.problem.message);
  const { doc, value } = read;
  if (doc.contents !== null && !isMap(doc.contents)) return broken(1, "not a list of fields");
  return { range, doc, fields: (value ?? {}) as Record<string, unknown>, problems: [] };
}

/** The 1-based line of a field in the page. */
export function lineOfField(markdown: string, { range, doc }: Frontmatter, key: string): number {
  const pair = doc && pairOf(doc, key);
  const at = (range?.start ?? 0) + (startOf(pair) ?? 0);
  return markdown.slice(0, at).split(/\r\n|\r|\n/).length;
}

/** A value to set at a path of fields (["layout", "width"]); undefined removes the field. */
export interface FieldEdit {
  path: [string, ...string[]];
  value: unknown;
}

/** Sets or removes one field and leaves every other byte alone; adds the frontmatter or drops an emptied one. */
export function editField(markdown: string, { path, value }: FieldEdit): string {
  const { range, doc, fields } = readFrontmatter(markdown);
  if (value === undefined && !doc?.hasIn(path)) return markdown;
  if (value !== undefined && JSON.stringify(doc?.getIn(path)) === JSON.stringify(value)) return markdown;
  if (!range || !doc) return createFrontmatter(markdown, path, value);
  const yaml = markdown.slice(range.start, range.end);
  const eol = yaml.includes("\r\n") || (yaml === "" && markdown.includes("\r\n")) ? "\r\n" : "\n";
  const wanted = withField(fields, path, value);
  if (Object.keys(wanted).length === 0 && !yaml.includes("#")) return dropFrontmatter(markdown, range);
  const old = pairOf(doc, path[0]);
  const span = old && spanOf(yaml, old);
  if (value === undefined) doc.deleteIn(path);
  else doc.setIn(path, quotedAs(doc.getIn(path, true), doc.createNode(value)));
  pruneEmpty(doc, path);
  const pair = pairOf(doc, path[0]);
  const text = pair && fieldText(pair).replaceAll("\n", eol);
  const inPlace = spliceField(yaml, { text, span, hasOld: old !== undefined, eol });
  const next = inPlace !== undefined && sameFields(inPlace, wanted) ? inPlace : rewritten(doc, wanted);
  return markdown.slice(0, range.start) + next + markdown.slice(range.end);
}

/** A text in the quotes that the one before it had. */
function quotedAs(before: unknown, node: Node): Node {
  const quoted = isScalar(before) && before.type?.startsWith("QUOTE_");
  if (quoted && isScalar(node) && typeof node.value === "string") node.type = before.type;
  return node;
}

/** The whole frontmatter anew, for YAML that cannot be edited in place; its comments stay if at all possible. */
function rewritten(doc: Document, wanted: Record<string, unknown>): string {
  try {
    const whole = doc.toString(STYLE);
    if (sameFields(whole, wanted)) return whole;
  } catch {
    // An alias lost its anchor: the values are what counts.
  }
  return stringify(wanted, STYLE);
}

/** A copy of the fields with one more, or one less and no map left empty by that. */
function withField(fields: Record<string, unknown>, path: string[], value: unknown): Record<string, unknown> {
  const [key = "", ...inner] = path;
  const copy = { ...fields };
  if (inner.length === 0) copy[key] = value;
  else copy[key] = withField(isRecord(copy[key]) ? copy[key] : {}, inner, value);
  const gone = inner.length > 0 && isRecord(copy[key]) && Object.keys(copy[key]).length === 0;
  if (gone || copy[key] === undefined) delete copy[key];
  return copy;
}

interface Splice {
  text: string | undefined;
  span: { start: number; end: number; line: number } | undefined;
  hasOld: boolean;
  eol: string;
}

/** The YAML with one field's text replaced, removed or added; undefined when the field has no place of its own. */
function spliceField(yaml: string, { text, span, hasOld, eol }: Splice): string | undefined {
  if (!hasOld) {
    const glue = yaml === "" || /[\r\n]$/.test(yaml) ? "" : eol;
    return text === undefined ? yaml : `${yaml}${glue}${text}${eol}`;
  }
  if (!span) return undefined;
  if (text !== undefined) return yaml.slice(0, span.start) + text + yaml.slice(span.end);
  return yaml.slice(0, span.start) + yaml.slice(span.line);
}

function createFrontmatter(markdown: string, path: [string, ...string[]], value: unknown): string {
  const eol = /\r\n/.test(markdown) ? "\r\n" : "\n";
  const bom = markdown.startsWith("\uFEFF") ? "\uFEFF" : "";
  const doc: Document = new Document({});
  doc.setIn(path, doc.createNode(value));
  const field = fieldText(pairOf(doc, path[0])!).replaceAll("\n", eol);
  return `${bom}---${eol}${field}${eol}---${eol}${eol}${markdown.slice(bom.length)}`;
}

/** Takes the blank line that followed with it. */
function dropFrontmatter(markdown: string, { start, after }: FrontmatterRange): string {
  const bom = markdown.slice(0, start).startsWith("\uFEFF") ? "\uFEFF" : "";
  return bom + markdown.slice(after).replace(/^(?:\r\n|\r|\n)/, "");
}

function sameFields(yaml: string, wanted: unknown): boolean {
  const read = readYaml(yaml);
  return !("problem" in read) && JSON.stringify(read.value ?? {}) === JSON.stringify(wanted ?? {});
}

/** Removes maps that an edit left without fields, from the inside out. */
function pruneEmpty(doc: Document, path: string[]): void {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const parent = path.slice(0, length);
    const node = doc.getIn(parent, true);
    if (isMap(node) && node.items.length === 0) doc.deleteIn(parent);
  }
}

/** `key: value` without a line break at its end; texts stay on one line. */
function fieldText(pair: Pair): string {
  const map = new YAMLMap();
  map.items.push(pair);
  const doc = new Document(map);
  const key = pair.key as { commentBefore?: string; spaceBefore?: boolean };
  if (typeof key === "object" && key !== null) {
    key.commentBefore = undefined;
    key.spaceBefore = undefined;
  }
  return doc.toString(STYLE).replace(/\n$/, "");
}

function pairOf(doc: Document, key: string): Pair | undefined {
  if (!isMap(doc.contents)) return undefined;
  return doc.contents.items.find((pair) => (isScalar(pair.key) ? pair.key.value : pair.key) === key);
}

const startOf = (pair: Pair | undefined): number | undefined =>
  isScalar(pair?.key) ? pair.key.range?.[0] : undefined;

/** From the key to the end of the value, without a scalar's trailing comment; `line` is where the next line starts. */
function spanOf(yaml: string, pair: Pair): { start: number; end: number; line: number } | undefined {
  const start = startOf(pair);
  const value = pair.value;
  const valueEnd = isScalar(value) || isCollection(value) ? value.range?.[1] : undefined;
  if (start === undefined || valueEnd === undefined) return undefined;
  if (start > 0 && !/[\r\n]/.test(yaml[start - 1]!)) return undefined;
  let end = valueEnd;
  while (end > start && /[\r\n]/.test(yaml[end - 1]!)) end -= 1;
  const lineBreak = /\r\n|\r|\n/g;
  lineBreak.lastIndex = end;
  return { start, end, line: lineBreak.exec(yaml) ? lineBreak.lastIndex : yaml.length };
}
