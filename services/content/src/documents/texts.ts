import {
  bodyOf,
  composeSource,
  type PageSource,
  readSource,
  withFrontmatterOf,
  writeProperties,
  writeTitle,
} from "@octavo/markdown/source/source";
import { editField } from "@octavo/markdown/yaml/frontmatter";
import type { CommonPageProps } from "../db/tables/entries.js";
import { editsOf } from "./properties.js";

// What becomes of the text of a page that is edited. Functions of data alone, which can be done on another thread.

/** A text, and what it says about its page. */
export interface Written {
  text: string;
  source: PageSource;
}

/** The text of a new page, and its title: the one that was asked for, else what the text is headed by. */
export function insertedText({
  markdown,
  title: wanted,
  properties,
}: {
  markdown: string;
  title?: string;
  properties: CommonPageProps;
}): Written & { title: string } {
  const title = wanted ?? readSource(markdown).title ?? "Untitled";
  const composed = composeSource({ title, ...editsOf(properties) }, markdown);
  const text = wanted === undefined ? composed : writeTitle(composed, title);
  return { text, source: readSource(text), title };
}

interface Rewriting {
  /** The text that the page has. */
  stored: string;
  /** The text that was sent for it. */
  markdown?: string;
  /** The title that was asked for, and the one that the page has. */
  title?: string;
  formerTitle: string;
  properties: CommonPageProps;
  /** What is known of the page. */
  known: CommonPageProps;
}

/** The text that a page has after an edit; undefined when it stays. */
export function rewrittenText({
  stored,
  markdown,
  title,
  formerTitle,
  properties,
  known,
}: Rewriting): Written | undefined {
  // Layout, cover and variables have no field of a change: a text without frontmatter says nothing about them.
  const given = markdown === undefined ? undefined : withFrontmatterOf(stored, markdown);
  const said = given === undefined ? undefined : readSource(given);
  const wanted = { ...(said && kept(known, said)), ...properties };
  let text = stored;
  if (given !== undefined) text = composeSource({ title: title ?? formerTitle }, given);
  text = writeProperties(text, editsOf(wanted));
  if (title !== undefined) text = writeTitle(text, title);
  if (markdown === undefined && text === stored) return undefined;
  return { text, source: said && text === given ? said : readSource(text) };
}

/** A text that was sent for a reusable content. */
export interface SentText {
  markdown: string;
  /** Whether a document was sent, which stands below a heading that is its title. */
  isHeaded: boolean;
}

interface Rewording {
  /** The text that the reusable content has; a new one has none. */
  stored: string;
  sent?: SentText;
  /** The title that was asked for, and the one that it has. */
  title?: string;
  formerTitle: string;
}

/**
 * The text that a reusable content has after an edit, and its title. That goes into the frontmatter, so that other tools do
 * not show it where the text is included, unless the text has a heading that is read as its title.
 */
export function reusableText({ stored, sent, title: wanted, formerTitle }: Rewording) {
  const markdown = sent?.isHeaded ? unheaded(sent.markdown) : sent?.markdown;
  const given = markdown === undefined ? stored : withFrontmatterOf(stored, markdown);
  const said = readSource(given).title;
  const title = wanted ?? said ?? formerTitle;
  if (title === said) return { text: given, title };
  const text =
    said === undefined ? editField(given, { path: ["title"], value: title }) : writeTitle(given, title);
  return { text, title };
}

/** A text without the heading above it, unless what follows would be read as a title or as frontmatter. */
function unheaded(markdown: string): string {
  const body = bodyOf(markdown).replace(/^\n+/, "");
  return body.startsWith("---") || readSource(body).title !== undefined ? markdown : body;
}

/** What a new text says nothing about stays as the page had it. */
function kept(
  { description, icon, emoji, hidden, noIndex, noRobotsIndex, condition }: CommonPageProps,
  source: PageSource,
) {
  const entries = Object.entries({ description, icon, emoji, hidden, noIndex, noRobotsIndex, condition });
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== undefined && source[key as keyof typeof source] === undefined),
  );
}
