import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { renderDocument } from "@octavo/markdown/document/render";
import { refuseAt } from "@octavo/shared/errors";
import type { SentDocument } from "../content/document.js";
import { type Format, LONGEST } from "./schema.js";

/** The source of a comment that was sent. A document that comes down to nothing is 400. */
export function bodyOf(sent: SentDocument): string {
  const source = sourceOf(sent, "body.body");
  if (source.trim() === "") refuseAt("body.body.document", "must not be empty");
  return source;
}

/** The source of a text that was sent at a place of the request. A document that comes down to too much is 400. */
export function sourceOf({ markdown, document }: SentDocument, path: string): string {
  if (!document) return markdown ?? "";
  const source = renderDocument(document);
  if (source.length > LONGEST)
    refuseAt(`${path}.document`, `is longer than ${LONGEST} characters of markdown`);
  return source;
}

/** A comment's source in the format that was asked for. */
export const shownAs = (
  format: Format,
  markdown: string,
): { markdown: string } | { document: JSONDocument } =>
  format === "markdown" ? { markdown } : { document: parseDocument(markdown, { body: true }) };
