import { blankStart, readLines } from "../blocks/lines.js";
import { oneLine } from "../text/inline.js";
import {
  editField,
  type FieldEdit,
  type Frontmatter,
  lineOfField,
  readFrontmatter,
} from "../yaml/frontmatter.js";
import { isRecord } from "../yaml/record.js";
import type { Problem } from "../yaml/yaml.js";
import { layoutEdits, type PageLayout, readLayout } from "./layout.js";
import { findTitle, type Heading, headingSource, pageTitle, replaceTitle } from "./title.js";

/** `ref` and `refDark` are a URL or a path relative to the page's file. */
export interface PageCover {
  ref?: string;
  refDark?: string;
  yPos: number;
}
export interface PageProperties {
  description?: string;
  icon?: string;
  emoji?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  cover?: PageCover;
  layout?: PageLayout;
  variables?: Record<string, string | number | boolean>;
  /** The frontmatter's `if`. */
  condition?: string;
  slug?: string;
  linkTitle?: string;
}
/** What a page's markdown says about the page. */
export interface PageSource extends PageProperties {
  /** Plain text of the first top-level H1, else the frontmatter's `title`. */
  title?: string;
  /** There is nothing but frontmatter and title. */
  empty?: true;
  /** Frontmatter that could not be used; `line` 1-based. */
  problems: Problem[];
}
/** undefined leaves a property alone, null removes it; false removes a flag that defaults to false. */
export type PropertyEdits = { [Key in keyof PageProperties]?: PageProperties[Key] | null };

const TEXTS = {
  description: "description",
  icon: "icon",
  emoji: "emoji",
  slug: "slug",
  linkTitle: "linkTitle",
  condition: "if",
} as const;
const FLAGS = ["hidden", "noIndex", "noRobotsIndex"] as const;
const VARIABLE = /^[A-Za-z][A-Za-z0-9_]*$/;

/** The property of a page that a field of its frontmatter says. */
export const propertyOf = (field: string): string | undefined => PROPERTIES.get(field);
const PROPERTIES = new Map<string, string>([
  ...Object.entries(TEXTS).map(([property, field]) => [field, property] as const),
  ...FLAGS.map((flag) => [flag, flag] as const),
  ...["cover", "coverDark", "coverY"].map((field) => [field, "cover"] as const),
  ["title", "title"],
  ["layout", "layout"],
  ["vars", "variables"],
]);

/** The title that markdown says which is nothing but one heading of the first level. */
export function titleAlone(markdown: string): string | undefined {
  const heading = findTitle(markdown, readLines(markdown));
  return heading && bodyOf(markdown).trim() === "" ? heading.text : undefined;
}

/** Reads frontmatter and title. Never throws; broken frontmatter is reported in `problems` and counts as text. */
export function readSource(markdown: string): PageSource {
  const front = readFrontmatter(markdown);
  const source: PageSource = { problems: [...front.problems] };
  const problemOf = (key: string) => (message: string) =>
    source.problems.push({ line: lineOfField(markdown, front, key), message });
  const text = (key: string) => readText(front, key, problemOf(key));
  const heading = findTitle(markdown, readLines(markdown));
  const title = pageTitle(heading?.text || text("title") || "");
  if (title) source.title = title;
  if (!/\S/.test(bodyBelow(markdown, front, heading))) source.empty = true;
  for (const [property, key] of Object.entries(TEXTS) as [keyof typeof TEXTS, string][]) {
    const value = text(key);
    if (value !== undefined) source[property] = value;
  }
  if (source.condition === undefined && hasUnreadCondition(markdown, front)) source.condition = "false";
  for (const flag of FLAGS) {
    const value = front.fields[flag];
    if (typeof value === "boolean") source[flag] = value;
    else if (value !== undefined && value !== null) problemOf(flag)(`${flag} must be true or false`);
  }
  const cover = readCover(text, front.fields.coverY, problemOf("coverY"));
  if (cover) source.cover = cover;
  const layout = readLayout(front.fields.layout, problemOf("layout"));
  if (layout) source.layout = layout;
  const variables = readVariables(front.fields.vars, problemOf("vars"));
  if (variables) source.variables = variables;
  return source;
}

/** A condition that can not be read is met for nobody. */
const hasUnreadCondition = (markdown: string, { range, doc, fields }: Frontmatter): boolean =>
  range !== undefined && !doc
    ? /^[ \t{]*["']?if["']?[ \t]*:/m.test(markdown.slice(range.start, range.end))
    : typeof fields.if === "object" && fields.if !== null;

/** A page's markdown without frontmatter and title. */
export const bodyOf = (markdown: string): string =>
  bodyBelow(markdown, readFrontmatter(markdown), findTitle(markdown, readLines(markdown)));

function bodyBelow(markdown: string, front: Frontmatter, title: Heading | undefined): string {
  const { top, start, end } = bodyRange(markdown, front, title);
  return markdown.slice(top, start) + markdown.slice(end);
}

/** The body begins at `top`; the title in it takes the part from `start` to `end`. */
function bodyRange(markdown: string, { range, doc }: Frontmatter, title: Heading | undefined) {
  const top = range && doc ? range.after : markdown.startsWith("\uFEFF") ? 1 : 0;
  if (!title) return { top, start: top, end: top };
  const start =
    Math.max(markdown.lastIndexOf("\n", title.start - 1), markdown.lastIndexOf("\r", title.start - 1)) + 1;
  const last = title.underlineEnd ?? title.end;
  const end = /[\r\n]|$/g;
  end.lastIndex = last;
  return { top, start: Math.max(top, start), end: end.exec(markdown)!.index };
}

/** Where places in `bodyOf(markdown)` lie in the markdown. */
export function placesInSource(markdown: string): (at: number) => number {
  const title = findTitle(markdown, readLines(markdown));
  const { top, start, end } = bodyRange(markdown, readFrontmatter(markdown), title);
  return (at) => (at < start - top ? top + at : end + at - (start - top));
}

/**
 * The markdown with another title: the first H1's text, else the frontmatter's `title`, else a new `# Title` line
 * after the frontmatter. Every other byte stays. Newlines in the title become spaces; an empty title changes nothing.
 */
export function writeTitle(markdown: string, title: string): string {
  const words = oneLine(title);
  if (words === "") return markdown;
  const heading = findTitle(markdown, readLines(markdown));
  if (heading) return heading.text === words ? markdown : replaceTitle(markdown, heading, words);
  const { fields } = readFrontmatter(markdown);
  if (typeof fields.title === "string") return editField(markdown, { path: ["title"], value: words });
  return insertTitle(markdown, words);
}

/** Markdown that has no frontmatter with that of another text, byte for byte. */
export function withFrontmatterOf(source: string, markdown: string): string {
  if (readFrontmatter(markdown).range) return markdown;
  const { range, doc } = readFrontmatter(source);
  if (!range || !doc) return markdown;
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  return `${source.slice(0, range.after).trimEnd()}${eol}${eol}${markdown.replace(/^\uFEFF/, "")}`;
}

/** The markdown with other frontmatter fields; fields not named, comments, order and line ends stay byte for byte. */
export function writeProperties(markdown: string, edits: PropertyEdits): string {
  return fieldEdits(edits).reduce(editField, markdown);
}

/**
 * A page's source from what the API got: properties go to the frontmatter; a `# Title` line follows the frontmatter
 * unless the markdown has an H1 of its own, which then stays as it is.
 */
export function composeSource(page: { title?: string } & PropertyEdits, markdown: string): string {
  const words = oneLine(page.title ?? "");
  const titled = words && !findTitle(markdown, readLines(markdown)) ? insertTitle(markdown, words) : markdown;
  return writeProperties(titled, page);
}

/** Behind the frontmatter and the blank lines that follow it. */
function insertTitle(markdown: string, title: string): string {
  const { range, doc } = readFrontmatter(markdown);
  const top = range && doc ? range.after : markdown.startsWith("\uFEFF") ? 1 : 0;
  const eol = markdown.includes("\r\n") ? "\r\n" : "\n";
  const blanks = blankStart(markdown.slice(top));
  const before = markdown.slice(0, top + blanks);
  const rest = markdown.slice(before.length);
  const unbroken = doc && !/[\r\n]$/.test(before) ? eol : "";
  const open = doc && blanks === 0 ? unbroken + eol : "";
  return `${before}${open}# ${headingSource(title, "markdown")}${eol}${rest === "" ? "" : eol + rest}`;
}

function fieldEdits(edits: PropertyEdits): FieldEdit[] {
  const list: FieldEdit[] = [];
  const set = (key: string, value: unknown) => list.push({ path: [key], value: value ?? undefined });
  for (const [property, key] of Object.entries(TEXTS) as [keyof typeof TEXTS, string][]) {
    if (edits[property] !== undefined) set(key, edits[property] || null);
  }
  for (const flag of FLAGS) if (edits[flag] !== undefined) set(flag, edits[flag] || null);
  const { cover, layout, variables } = edits;
  if (cover !== undefined) {
    set("cover", cover?.ref);
    set("coverDark", cover?.refDark);
    set("coverY", cover?.yPos);
  }
  if (layout !== undefined) list.push(...layoutEdits(layout));
  if (variables !== undefined) set("vars", variables && Object.keys(variables).length > 0 ? variables : null);
  return list;
}

/** A text field; numbers and booleans count as the text they are written as. */
function readText(
  { doc, fields }: Frontmatter,
  key: string,
  problem: (message: string) => void,
): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") {
    const node = doc?.get(key, true) as { source?: string } | undefined;
    return node?.source ?? String(value);
  }
  problem(`${key} must be a text`);
  return undefined;
}

function readCover(
  text: (key: string) => string | undefined,
  y: unknown,
  problem: (message: string) => void,
): PageCover | undefined {
  const [ref, refDark] = [text("cover"), text("coverDark")];
  const valid = typeof y === "number" && Number.isFinite(y);
  if (y !== undefined && y !== null && !valid) problem("coverY must be a number");
  if (ref === undefined && refDark === undefined) return undefined;
  return {
    ...(ref !== undefined && { ref }),
    ...(refDark !== undefined && { refDark }),
    yPos: valid ? y : 0,
  };
}

function readVariables(value: unknown, problem: (message: string) => void): PageProperties["variables"] {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) {
    problem("vars must be a list of fields");
    return undefined;
  }
  const variables: NonNullable<PageProperties["variables"]> = {};
  for (const [name, one] of Object.entries(value)) {
    const scalar =
      typeof one === "number" || typeof one === "boolean" || (typeof one === "string" && one.length <= 256);
    if (!VARIABLE.test(name)) problem(`vars.${name} is not a name: a letter, then letters, digits and _`);
    else if (scalar) variables[name] = one;
    else problem(`vars.${name} must be a text of at most 256 characters, a number or a boolean`);
  }
  return Object.keys(variables).length > 0 ? variables : undefined;
}
