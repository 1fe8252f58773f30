import { flag, type Tag } from "../parser/tags.js";
import { unescapeText } from "../text/destination.js";
import { type Block, block, codeLines, type Data } from "./nodes.js";
import { texts } from "./tag-blocks.js";

/** A code block of a fence's info string and lines. `data.info` holds what follows the language. */
export function fenceBlock(info: string, content: string): Block {
  const [syntax, ...more] = oneLine(unescapeText(info)).split(" ") as [string, ...string[]];
  const rest = more.join(" ");
  const data: Data = { ...(syntax && { syntax }), ...(rest && { info: rest }) };
  return block("code", data, content === "" ? [] : codeLines(content.replace(/\n$/, "")));
}

/** Words with one blank between them. */
export const oneLine = (text: string): string => text.replace(/[ \t\r\n]+/g, " ").replace(/^ | $/g, "");

/** `{% code %}` around one fence; undefined when it holds something else. */
export function codeWithOptions({ attrs, source }: Tag, inner: Block[]): Block | undefined {
  const [code, ...others] = inner;
  if (code?.type !== "code" || others.length > 0 || code.data?.verbatim === true) return undefined;
  if (source !== "" && Object.keys(attrs).length === 0) return undefined;
  for (const key of Object.keys(attrs))
    if (key === "syntax" || key === "info" || key === "verbatim") return undefined;
  const options = Object.fromEntries(
    Object.entries(attrs).map(([key, value]) => [key, key === "title" ? String(value) : flag(value)]),
  );
  return { ...code, data: { ...code.data, ...options } };
}

/** `{% prompt %}` around one code block; undefined when it holds something else. */
export function promptOf({ attrs, source }: Tag, inner: Block[]): Block | undefined {
  const [code, ...others] = inner;
  if (code?.type !== "code" || others.length > 0 || code.data?.verbatim === true) return undefined;
  if (source !== "" && Object.keys(attrs).length === 0) return undefined;
  const data = Object.fromEntries(Object.entries(attrs).map(([key, value]) => [key, flag(value)]));
  return block("prompt", texts(data, "description", "icon"), [code]);
}
