import type { Block } from "@octavo/markdown/document/nodes";
import type { ComponentChildren } from "preact";
import type { Page } from "./page.js";

/** What a component returns: elements, words, which are escaped, or nothing. */
export type Html = ComponentChildren;

/** What stands below the page and is opened from a word of it. */
export interface Note {
  id: string;
  nodes: Block[];
}

/** Where a component draws: the page, what is collected of it, and how to draw what lies deeper. */
export interface Scope {
  page: Page;
  blocks(nodes: readonly { object: string }[] | undefined): Html;
  inlines(nodes: readonly { object: string }[] | undefined): Html;
  /** In a link or a button: what would be another one is drawn as its words. */
  inLink(draw: () => Html): Html;
  /** Whether what is drawn stands in a link or a button. */
  readonly linked: boolean;
  notes: Note[];
  /** An id that is on the page once. No anchor begins with a tilde. */
  id(kind: string): string;
  /** Whether a picture is the first one, and near the top of the page: likely the largest thing that is seen at first. */
  isLargestPicture(): boolean;
  /** The level of a heading of this depth where its author skips one: it is one below what it stands under. */
  level(depth: number): number | undefined;
  /** Draws included blocks, once in themselves and as long as the page's share lasts. */
  include(of: object, nodes: Block[]): Html;
  /** The pieces of code in a language; undefined when it is not known or takes too long. */
  highlight(text: string, syntax: string): CodeToken[] | undefined;
  /** The MathML of a formula; undefined when it is none or takes too long. */
  formula(text: string, display: boolean): string | undefined;
}

/** A piece of code and what it is to the language; several lines may be one piece. */
export interface CodeToken {
  text: string;
  kind?: string;
}

/** Draws a block. */
export type DrawBlock = (block: Block, scope: Scope) => Html;
