import { writeTag } from "@octavo/markdown/parser/tags";
import type { Element, ElementContent } from "hast";
import type { BlockContent, DefinitionContent } from "mdast";
import type { Options as ReadOptions } from "rehype-remark";
import type { Options as WriteOptions } from "remark-stringify";
import { element } from "./elements.js";

// Blocks of ours for which HTML has no element. No parser of HTML reads a name that begins with `@`: nobody can write one.

interface Hint {
  type: "hint";
  style: string;
  children: (BlockContent | DefinitionContent)[];
}

interface Details {
  type: "details";
  title: string;
  children: (BlockContent | DefinitionContent)[];
}

declare module "mdast" {
  interface BlockContentMap {
    hint: Hint;
    details: Details;
  }
  interface RootContentMap {
    hint: Hint;
    details: Details;
  }
}

/** A hint of a style, with these elements in it. */
export const hint = (style: string, children: ElementContent[]) => element("@hint", children, { style });

/** What is folded away below a title. */
export const details = (title: string, children: ElementContent[]) =>
  element("@details", children, { title });

/** A sign in a text that leads to the note of a name. */
export const noteSign = (name: string) => element("@sign", [], { name });

/** A note to which signs of its name lead. */
export const note = (name: string, children: ElementContent[]) => element("@note", children, { name });

const said = ({ properties }: Element, name: string): string => String(properties[name] ?? "");

/** How such elements are read. */
export const readers: ReadOptions["handlers"] = {
  "@hint": (state, node: Element) => ({
    type: "hint",
    style: said(node, "style"),
    children: state.toFlow(state.all(node)),
  }),
  "@details": (state, node: Element) => ({
    type: "details",
    title: said(node, "title"),
    children: state.toFlow(state.all(node)),
  }),
  "@sign": (_, node: Element) => ({ type: "footnoteReference", identifier: said(node, "name") }),
  "@note": (state, node: Element) => ({
    type: "footnoteDefinition",
    identifier: said(node, "name"),
    children: state.toFlow(state.all(node)),
  }),
};

/** How they are written. */
export const writers: WriteOptions["handlers"] = {
  hint: (node: Hint, _, state, info) =>
    `${writeTag("hint", { style: node.style })}\n${state.containerFlow(node, info)}\n{% endhint %}`,
  details: (node: Details, _, state, info) =>
    `<details>\n\n<summary>${plain(node.title)}</summary>\n\n${state.containerFlow(node, info)}\n\n</details>`,
};

/** Words in which nothing is syntax of markdown, in one line. */
const plain = (words: string): string =>
  words
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[&<{$]/g, (one) => `&#${one.charCodeAt(0)};`)
    .replace(/[\\`*_[\]~|:!]/g, "\\$&");
