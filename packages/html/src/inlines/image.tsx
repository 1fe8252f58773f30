import type { Inline } from "@octavo/markdown/document/nodes";
import { refIn, textIn } from "../data.js";
import { picture } from "../picture.js";
import type { Html, Scope } from "../scope.js";

/** An image in a line of text, as high as the line or as large as it is. */
export function inlineImage({ data }: Inline, scope: Scope): Html {
  const className = textIn(data, "size") === "original" ? "inline-image original" : "inline-image";
  const shown = { ref: refIn(data), dark: refIn(data, "refDark"), className, alt: textIn(data, "alt") ?? "" };
  return picture({ ...shown, title: textIn(data, "caption") }, scope);
}
