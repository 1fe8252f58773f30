import { attributesOf, type HtmlTag, htmlText, readHtml } from "../parser/html.js";
import { type Inline, inline } from "./nodes.js";
import { type Resolve, refOf } from "./refs.js";

type Attrs = Record<string, string>;
const only = (attrs: Attrs, names: string[]): boolean =>
  Object.keys(attrs).every((key) => names.includes(key));

/** `<img src alt data-size>` in a line of text; undefined without an address. */
export function imageInline(attrs: Attrs, resolve?: Resolve, dark?: string): Inline | undefined {
  const { src, alt, title, "data-size": written, ...others } = attrs;
  if (src === undefined) return undefined;
  const size = written === "line" || written === "original" ? written : undefined;
  return inline("inline-image", {
    ref: refOf(src, resolve),
    ...(dark !== undefined && { refDark: refOf(dark, resolve) }),
    ...(title && { caption: title }),
    ...(alt && { alt }),
    ...(size !== undefined && { size }),
    ...attributesOf({ ...(written !== size && { "data-size": written! }), ...others }),
  });
}

/** An element that was read with the words in it; undefined when its form is another one. */
export function wholeElement(
  { tag, inner }: { tag: HtmlTag; inner: string },
  resolve?: Resolve,
): Inline | undefined {
  const { name, attrs } = tag;
  if (name === "picture") return picture(inner, resolve);
  if (inner.includes("<")) return undefined;
  const words = htmlText(inner).replace(/\s+/g, " ");
  if (name === "code")
    return only(attrs, ["class"]) ? inline("expression", { expression: words }) : undefined;
  if (name === "span") return attrs.class === "math" ? mathOf(attrs, inner) : emojiOf(attrs, words);
  if (name === "i") {
    const { class: style = "", ...others } = attrs;
    const icon = /^fa-([a-z0-9-]+)$/.exec(style)?.[1];
    return icon && words === `:${icon}:` ? inline("icon", { icon, ...attributesOf(others) }) : undefined;
  }
  return button(tag, words, resolve);
}

function mathOf(attrs: Attrs, inner: string): Inline | undefined {
  const formula = htmlText(inner.replace(/\s+/g, " "));
  return only(attrs, ["class"]) && formula.trim() !== "" ? inline("inline-math", { formula }) : undefined;
}

function emojiOf(attrs: Attrs, words: string): Inline | undefined {
  const code = attrs["data-code"]?.toLowerCase() ?? "";
  const known = only(attrs, ["data-gb-custom-inline", "data-tag", "data-code"]);
  return known && /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/.test(code) && words.length <= 40
    ? inline("emoji", { code })
    : undefined;
}

function button({ name, attrs }: HtmlTag, label: string, resolve?: Resolve): Inline | undefined {
  const known =
    name === "a"
      ? ["href", "class", "data-icon"]
      : ["type", "class", "data-icon", "data-action", "data-query"];
  const kind = /^button (primary|secondary)$/.exec(attrs.class ?? "")?.[1];
  if (!kind || !only(attrs, known)) return undefined;
  const { href, "data-icon": icon, "data-action": action, "data-query": query } = attrs;
  if (name === "button" && action === undefined) return undefined;
  return inline("button", {
    label,
    kind,
    ...(icon && { icon }),
    ...(action !== undefined && { action }),
    ...(query !== undefined && { query }),
    ...(href && { ref: refOf(href, resolve) }),
  });
}

const DARK = "(prefers-color-scheme: dark)";

/** `<source srcset media><img>`: an image with another one for dark mode. */
export function pictureParts(source: string): { img: Attrs; dark?: string } | undefined {
  let img: Attrs | undefined;
  let dark: string | undefined;
  for (const token of readHtml(source)) {
    if ("text" in token) {
      if (token.text.trim() !== "") return undefined;
    } else if (token.closing) return undefined;
    else if (token.name === "source" && dark === undefined && token.attrs.media === DARK) {
      dark = token.attrs.srcset;
      if (!only(token.attrs, ["srcset", "media"])) return undefined;
    } else if (token.name === "img" && !img) img = token.attrs;
    else return undefined;
  }
  return img && { img, ...(dark !== undefined && { dark }) };
}

function picture(source: string, resolve?: Resolve): Inline | undefined {
  const parts = pictureParts(source);
  return parts && imageInline(parts.img, resolve, parts.dark);
}
