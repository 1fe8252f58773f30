import {
  composeSource,
  type PageSource,
  readSource,
  withFrontmatterOf,
  writeProperties,
  writeTitle,
} from "@octavo/markdown/source/source";
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
