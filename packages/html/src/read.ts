import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";

/** Reads markdown for `Page.read`: a module of its own, for whoever loads it only where it is needed. */
export const read = (markdown: string): JSONDocument => parseDocument(markdown);
