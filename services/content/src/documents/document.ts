import { withAnchors } from "@octavo/markdown/document/anchors";
import { withKeys } from "@octavo/markdown/document/keys";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import type { Address, Resolve } from "@octavo/markdown/document/refs";
import { renderDocument } from "@octavo/markdown/document/render";
import { composeSource } from "@octavo/markdown/source/source";
import { type Addresses, addressBy } from "./targets.js";

/** The rich document of a page's markdown; addresses that `resolve` does not know stay as they are written. */
export const documentOf = (markdown: string, resolve?: Resolve): JSONDocument =>
  withKeys(unkeyedDocumentOf(markdown, resolve));

/** The rich document of a page's markdown without the keys of its blocks, which whoever only shows it has no use for. */
export const unkeyedDocumentOf = (markdown: string, resolve?: Resolve): JSONDocument =>
  withAnchors(parseDocument(markdown, { ...(resolve && { resolve }) }));

/** What a client sends for the text of a page: markdown, a document, or nothing. */
export interface SentDocument {
  markdown?: string;
  document?: JSONDocument;
}

/** The markdown of what was sent; a document, which has no title, is put below the page's own. */
export function markdownOf({ markdown, document }: SentDocument, title: string, address?: Address): string {
  if (!document) return markdown ?? "";
  const body = renderDocument(document, { ...(address && { address }) });
  return [composeSource({ title }, "").trimEnd(), body].filter((part) => part !== "").join("\n\n");
}

/** The markdown of a document that was sent, as JSON: a thread takes a text faster than what it stands for. */
export const renderSent = ({
  json,
  title,
  addresses,
}: {
  json: string;
  title: string;
  addresses: Addresses;
}): string => markdownOf({ document: JSON.parse(json) as JSONDocument }, title, addressBy(addresses));
