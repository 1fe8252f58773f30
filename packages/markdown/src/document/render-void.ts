import { joinedLines } from "../parser/blanks.js";
import { emojiName, emojiText } from "../parser/emoji.js";
import { escapeHtml, htmlAttrs, htmlWords, keptAttrs } from "../parser/html.js";
import { destination, escapeText, titleText } from "./escape.js";
import type { Data } from "./nodes.js";

// What stands in a text without words of its own.

/** An emoji by its name, or by its code points when it has none. */
export function emoji(code: string): string {
  const name = emojiName(code);
  return name
    ? `:${name}:`
    : `<span data-gb-custom-inline data-tag="emoji" data-code="${code}">${emojiText(code)}</span>`;
}

const formulaOf = ({ formula }: Data): string => String(formula ?? "").replace(/[\r\n]+/g, " ");

/** A formula where no markdown is read. */
export const mathElement = (data: Data): string => `<span class="math">${htmlWords(formulaOf(data))}</span>`;

/** A formula in a line of text, between dollars unless its own would end it. */
export const inlineMath = (data: Data): string =>
  /^\$|\$\$|\$$/.test(formulaOf(data)) ? mathElement(data) : `$$${formulaOf(data)}$$`;

/** An image as HTML, with another one for dark mode. */
export function imageSource(
  { ref, refDark, alt, ...more }: Data,
  to: (ref: unknown) => string,
  attributes?: unknown,
): string {
  const img = `<img${htmlAttrs({ src: to(ref), alt: alt ?? "", ...more })}${keptAttrs(attributes)}>`;
  if (refDark === undefined) return img;
  return `<picture><source${htmlAttrs({ srcset: to(refDark), media: "(prefers-color-scheme: dark)" })}>${img}</picture>`;
}

/** An image in a line of text. */
export function inlineImage(
  { ref, refDark, caption, alt, size, attributes }: Data,
  to: (ref: unknown) => string,
): string {
  if (refDark === undefined && size === undefined && attributes === undefined) {
    const title = typeof caption === "string" && caption !== "" ? titleText(caption) : "";
    return `![${escapeText(joinedLines(String(alt ?? "")))}](${destination(to(ref))}${title})`;
  }
  return imageSource({ ref, refDark, alt, "data-size": size, title: caption }, to, attributes);
}

/** A button, or a link that looks like one. */
export function button(
  { label, kind, icon, ref, action, query }: Data,
  to: (ref: unknown) => string,
): string {
  const style = `button ${kind === "secondary" ? "secondary" : "primary"}`;
  const text = escapeHtml(String(label ?? ""));
  if (action !== undefined) {
    return `<button${htmlAttrs({ type: "button", class: style, "data-action": action, "data-query": query, "data-icon": icon })}>${text}</button>`;
  }
  return `<a${htmlAttrs({ href: ref === undefined ? undefined : to(ref), class: style, "data-icon": icon })}>${text}</a>`;
}
