import { evaluateDocument } from "@octavo/markdown/document/evaluate";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { renderDocument, replaceBody } from "@octavo/markdown/document/render";
import type { Inputs } from "@octavo/markdown/expression/evaluate";
import { withoutComments } from "./comments-cut.js";
import { documentOf, markdownOf, unkeyedDocumentOf } from "./document.js";
import { resolveTo, type Targets } from "./targets.js";

// What it takes to read a page once all is known that the database knows. Nothing here waits, so it can be done on another
// thread: what goes in and comes out is data.

/** A text, and how it is to be read. */
export interface Reading {
  markdown: string;
  /** What its relative addresses lead to; without, addresses stay as they are written. */
  targets?: Targets;
  /** What its expressions read, when they are to be evaluated. */
  evaluation?: { inputs: Inputs; deterministicOnly: boolean };
  /** For visitors, who are not shown comments. */
  uncommented?: boolean;
  /** For whoever only shows blocks, which then have no keys. */
  unkeyed?: boolean;
}

/** The rich document of a text. */
export function readDocument(reading: Reading): JSONDocument {
  const { markdown, targets, evaluation, uncommented = false, unkeyed = false } = reading;
  const resolve = targets && resolveTo(targets);
  const whole = unkeyed ? unkeyedDocumentOf(markdown, resolve) : documentOf(markdown, resolve);
  const document = evaluation ? evaluateDocument(whole, { ...evaluation, source: markdown }).document : whole;
  return uncommented ? withoutComments(document, resolve) : document;
}

/** The rich document of a text as JSON, which costs less to hand on than what it stands for. */
export const readJson = (reading: Reading): string => JSON.stringify(readDocument(reading));

/** The rich document of a comment, which has no frontmatter. */
export const readComment = (markdown: string): JSONDocument => parseDocument(markdown, { body: true });

/** The markdown of a text as its readers see it; without expressions it stays byte for byte as it is. */
export function readMarkdown({ markdown, evaluation }: Reading): string {
  if (!evaluation) return markdown;
  const { document, changed } = evaluateDocument(parseDocument(markdown), {
    ...evaluation,
    source: markdown,
  });
  return changed ? replaceBody(markdown, renderDocument(document)) : markdown;
}

/** The markdown of a text as visitors see it, below a title. */
export const readShown = ({ title, ...reading }: Reading & { title: string }): string =>
  markdownOf({ document: readDocument(reading) }, title);
