import type { Token } from "markdown-it";
import { Unread } from "../text/hidden-text.js";

/** What labels of links stand for, each with the definition that says so. */
export type References = Record<string, { href: string; title: string; definition?: Token }>;

/** Definitions that a condition makes are its own; those around it are known in it, too. */
export const referencesWithin = (around: References): References => Object.create(around);

/** Calls back for each line of text, with the definitions that are known where it stands. */
export function eachLine(
  tokens: Token[],
  all: References,
  onLine: (line: Token, references: References) => void,
): void {
  eachToken(tokens, all, (token, references) => {
    if (token.type === "inline") onLine(token, references);
  });
}

/**
 * Takes definitions out that stand in conditions which were not parsed: nobody is shown those, and links outside would
 * hold. Returns whether there were any.
 */
export function hideDefinitions(tokens: Token[], all: References): boolean {
  if (!tokens.some(({ type }) => type === "reference_definition")) return false;
  const unread = new Unread(true);
  let hidden = false;
  eachToken(tokens, all, (token, references) => {
    if (token.type === "inline") readLine(token.children ?? [], unread);
    else if (isKept(token)) unread.text(token.content, true);
    else if (token.type === "reference_definition" && unread.hides()) {
      const label = String(token.meta!.label);
      if (references[label]?.definition === token) hidden = delete references[label];
    }
  });
  return hidden;
}

function readLine(children: Token[], unread: Unread): void {
  let words = "";
  for (const { type, content } of children) {
    if (type === "text") words += content;
    else if (type === "softbreak") words += " ";
    else if (NOT_PARSED.has(type)) {
      unread.text(words, false);
      unread.text(content, true);
      words = "";
    }
  }
  unread.text(words, false);
}
const NOT_PARSED = new Set(["html_inline", "html_whole", "kept"]);

/** What is not parsed, but code. */
const isKept = ({ type, content }: Token): boolean =>
  type === "verbatim" || type === "html_block" || (type === "html_form" && !/^<pre\b/i.test(content));

function eachToken(
  tokens: Token[],
  all: References,
  onToken: (token: Token, references: References) => void,
): void {
  const around: References[] = [];
  let references = all;
  for (const token of tokens) {
    if (token.type === "tag_open") {
      around.push(references);
      references = (token.meta!.references as References | undefined) ?? references;
    } else if (token.type === "tag_close") references = around.pop() ?? all;
    onToken(token, references);
  }
}
