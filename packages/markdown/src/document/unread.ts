import { hasConditionTag, Unread } from "../text/hidden-text.js";
import { cutDocument } from "./cut.js";
import type { JSONDocument } from "./nodes.js";

/**
 * The document without what stands in conditions and expressions that were not parsed. Words count as a tag only when
 * the source has one that is not escaped.
 */
export function withoutUnread(document: JSONDocument, source?: string): JSONDocument {
  const inWords = source === undefined || hasConditionTag(source);
  const cutter = new Unread(inWords);
  const left = cutDocument(document, cutter);
  if (cutter.cuts === 0) return document;
  // The body of any note may have stood there.
  const notes = cutter.spansBlocks || cutter.hides();
  return notes ? cutDocument(document, new Unread(inWords, false)) : left;
}
