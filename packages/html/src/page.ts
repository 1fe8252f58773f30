import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { english, type Words } from "./words.js";

/** What a reference leads to. */
export interface Target {
  href: string;
  /** What it is called where the document gives it no words: the title of a page. */
  title?: string;
  /** What stands below the title in a card. */
  description?: string;
  emoji?: string;
  icon?: string;
}

/** A file or an image. */
export interface FileTarget {
  href: string;
  name: string;
  /** In bytes. */
  size?: number;
  /** In pixels: with them nothing moves when the image is there. */
  width?: number;
  height?: number;
}

/** An operation of an API with all that it refers to. */
export interface Operation {
  servers: string[];
  operation: Part;
  /** What is referred to, by the references. */
  references: Record<string, Part>;
}

/** Something of an OpenAPI document. It is somebody's data: nothing of it is believed. */
export type Part = Record<string, unknown>;

/**
 * What rendering a document needs besides the document. All of it is given: rendering makes no requests.
 * What is undefined leads nowhere, and is drawn without an address.
 */
export interface Page {
  link(ref: Ref): Target | undefined;
  file(ref: Ref): FileTarget | undefined;
  /** The document that is included. */
  reusable(ref: Ref): JSONDocument | undefined;
  /** An operation of an API, where its specification is at hand. */
  operation?(ref: Ref, at: { method: string; path: string }): Operation | undefined;
  /** A webhook of an API, and the schemas of one by the references to them, where the specification is at hand. */
  webhook?(ref: Ref, at: { method: string; name: string }): Operation | undefined;
  schemas?(ref: Ref): Operation["references"] | undefined;
  /**
   * Reads markdown, as the descriptions of operations are written in. It is given because it takes as much memory as all
   * else that draws documents, and few pages need it.
   */
  read?(markdown: string): JSONDocument;
  /** What the whole addresses of its site begin with. */
  site?: string;
  /** Whether links to other sites open in a tab of their own. */
  newTab?: boolean;
  /** The words that are nobody's text, in the language of the page. */
  words: Words;
}

/** Addresses as they are written, and nothing that only the owner of the content could look up. */
export const PLAIN_PAGE: Page = {
  link: ({ kind, url, anchor, page }) => {
    if (kind === "url" && typeof url === "string") return { href: url };
    return kind === "anchor" && typeof anchor === "string" && page === undefined
      ? { href: `#${anchor}` }
      : undefined;
  },
  file: ({ kind, url }) =>
    kind === "url" && typeof url === "string" ? { href: url, name: lastPart(url) } : undefined,
  reusable: () => undefined,
  words: english,
};

const lastPart = (url: string): string => /([^/?#]*)\/?(?:[?#]|$)/.exec(url)?.[1] || url;
