import type { MathNode } from "@octavo/html/code/math";
import type { FileTarget } from "@octavo/html/page";
import type { CodeToken } from "@octavo/html/scope";
import type { Words } from "@octavo/html/words";
import type { Block, InlineNode, JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Content, Leads } from "./element.js";

/** What a reference leads to, and how it is labelled there. */
export interface Led extends Leads {
  title?: string;
  description?: string;
  emoji?: string;
  icon?: string;
}

/** Where a component draws: the page, and how to draw what lies deeper. */
export interface Scope {
  words: Words;
  blocks(nodes: readonly { object: string }[] | undefined): Content;
  inlines(nodes: readonly { object: string }[] | undefined): Content;
  /** Where a reference leads; undefined when it leads nowhere. */
  link(ref: Ref | undefined): Led | undefined;
  file(ref: Ref | undefined): FileTarget | undefined;
  /** The name of a file that is an image, and its size; undefined when it is none. */
  image(ref: Ref | undefined): { file: string; width?: number; height?: number } | undefined;
  reusable(ref: Ref): JSONDocument | undefined;
  include(of: object, nodes: Block[]): Content;
  /** The label of an anchor of this page, once: what is set at most one time can be led to. */
  label(anchor: string | undefined): string | undefined;
  /** The level of the next heading: none is left out on the way down. */
  level(depth: number): number;
  /** In a link, where others are drawn as their words. */
  inLink(draw: () => Content): Content;
  readonly linked: boolean;
  /** Where notes stand beside their word, as there is no foot of the sheet: in headings and links. */
  withoutNotes(draw: () => Content): Content;
  readonly notesAllowed: boolean;
  /** Whether the contents list headings: in those of a single page. */
  readonly listsHeadings: boolean;
  formula(text: string, display: boolean): MathNode | undefined;
  highlight(text: string, syntax: string): CodeToken[] | undefined;
}

/** Draws a block. */
export type DrawBlock = (block: Block, scope: Scope) => Content;
export type { Block, InlineNode };
