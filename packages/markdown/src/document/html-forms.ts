import { takeTags } from "../parser/bounds.js";
import { type HtmlTag, hasOpenComment, readHtml, readHtmlTag } from "../parser/html.js";
import { elementBlocks } from "./html-blocks.js";
import { htmlCode } from "./html-code.js";
import { type Block, voidBlock } from "./nodes.js";
import { htmlTable } from "./parse-html-table.js";
import type { Reader } from "./reader.js";
import { type Resolve, refOf } from "./refs.js";
import { lengthOf } from "./tag-blocks.js";

/** The block that a piece of HTML stands for; undefined when it has another form than the ones the document knows. */
export function parseForm(source: string, reader: Reader): Block | undefined {
  const trimmed = source.trim();
  const tag = readHtmlTag(trimmed);
  // What is in a comment without an end goes on behind the form.
  if (hasOpenComment(trimmed)) return undefined;
  if (!tag || tag.closing || !takeTags(trimmed, reader.budget)) return undefined;
  if (tag.name === "img") return drawing(tag, reader.resolve);
  const end = `</${tag.name}>`;
  if (!trimmed.toLowerCase().endsWith(end)) return undefined;
  const inner = trimmed.slice(tag.end, -end.length);
  if (tag.name === "table") return htmlTable(tag, inner, reader);
  if (tag.name === "pre") return htmlCode(tag, inner, reader);
  const found = elementBlocks(tag, readHtml(inner), reader);
  return found?.length === 1 ? asHtml(found[0]!) : undefined;
}

/** What has a markdown form too is marked: it is written in the form that it was read in. */
function asHtml(node: Block): Block | undefined {
  const { type, data = {} } = node;
  const marked =
    type === "paragraph" || type.startsWith("heading-") ? data.align === undefined : IN_MARKDOWN.has(type);
  return marked ? { ...node, data: { ...data, html: true } } : node;
}
const IN_MARKDOWN = new Set(["list-ordered", "list-unordered", "list-tasks", "blockquote"]);

function drawing({ attrs }: HtmlTag, resolve?: Resolve): Block | undefined {
  const { src, alt, width, height, class: _, ...others } = attrs;
  if (src === undefined || Object.keys(others).length > 0) return undefined;
  return voidBlock("drawing", {
    ref: refOf(src, resolve),
    ...(alt && { alt }),
    ...(width && { width: lengthOf(width) }),
    ...(height && { height: lengthOf(height) }),
  });
}
