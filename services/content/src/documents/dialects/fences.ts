import { writeTag } from "@octavo/markdown/parser/tags";
import type { Fence } from "./parts.js";

/** What the line says that opens code: its language, a title, and whether its lines are numbered. */
export interface CodeInfo {
  language: string;
  title?: string;
  numbers: boolean;
}

const TITLE = /\b(?:title|filename|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s{}]+))/;
/** What stands behind a language and is no title. */
const SETTING =
  /\{[^}]*\}|\[[^\]]*\]|\b[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|\{[^}]*\}|\S+)|\b(?:showLineNumbers|noLineNumbers|lines|wrap|expandable|copy|live|twoslash|focus|diff|no-copy|editable|runnable)\b|(?:^|\s)[.#][\w-]+/g;

/** Reads what stands behind the marks of a fence, as Docusaurus, MkDocs, VitePress and Mintlify write it. */
export function readInfo(info: string, { bareTitles = false }: { bareTitles?: boolean } = {}): CodeInfo {
  const plain = info.replace(/^\{\s*\.?([\w+#-]+)\s*([^}]*)\}/, "$1 $2");
  const [, language = "", rest = ""] = /^([^\s{[:=]*)(.*)$/s.exec(plain)!;
  const titled = TITLE.exec(rest);
  const bracketed = /\[([^\]]+)\]/.exec(rest)?.[1];
  const bare = bareTitles ? rest.replace(SETTING, " ").replace(/\s+/g, " ").trim() : "";
  const title = (titled?.[1] ?? titled?.[2] ?? titled?.[3] ?? bracketed ?? bare).trim();
  const numbers = /showLineNumbers|:line-numbers|linenums|\blines\b/.test(rest);
  return { language, numbers, ...(title && { title }) };
}

/** Code with its title, as a block of ours. */
export function writeFence({ indent, mark, body }: Fence, { language, title, numbers }: CodeInfo): string[] {
  const code = [`${indent}${mark}${language}`, ...body, indent + mark];
  if (title === undefined && !numbers) return code;
  const tag = writeTag("code", { title, lineNumbers: numbers ? "true" : undefined });
  return [indent + tag, ...code, `${indent}{% endcode %}`];
}
