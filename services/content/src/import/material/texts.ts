import { hasTooManyLines } from "@octavo/markdown/blocks/lines";
import { titleOf } from "@octavo/markdown/navigation/folders";
import { readSource } from "@octavo/markdown/source/source";
import { refuse } from "@octavo/shared/errors";
import type { Exporter } from "../../documents/html.js";
import type { Work } from "../../work/threads.js";
import { LARGEST_TEXT, type SourceText } from "./material.js";
import type { Source } from "./sources.js";

interface Raw {
  path: string;
  content: Buffer;
  source: Source;
  work: Work;
}

/** Reads a text of a source, which is markdown or HTML by its name. Undefined when it is no text, or can not be read. */
export async function readText({ path, content, source, work }: Raw): Promise<SourceText | undefined> {
  const text = decoded(content);
  if (text === undefined) return undefined;
  if (!/\.html?$/i.test(path)) return { path, markdown: source === "github-wiki" ? wikiLinks(text) : text };
  return readPage({ path, html: text, work, from: exporterOf(source) });
}

/** The tool whose HTML a source has; undefined where it is that of anybody. */
export const exporterOf = (source: Source): Exporter | undefined =>
  source === "confluence" || source === "google-docs" ? source : undefined;

/** Reads an HTML document as the text of a page. Undefined when it can not be read. */
export async function readPage({
  path,
  html,
  work,
  from,
}: {
  path: string;
  html: string;
  work: Work;
  from?: Exporter;
}): Promise<(SourceText & { links: string[] }) | undefined> {
  const read = await work.run("readHtml", { html, ...(from && { from }) }).catch((error: unknown) => {
    if (error instanceof Error && error.name !== "Refusal") return undefined;
    throw error;
  });
  return read && { path, ...read };
}

/** The text of a file in UTF-8, or with a mark in UTF-16; undefined when it is none. */
export function decoded(content: Buffer): string | undefined {
  if (content.length > LARGEST_TEXT) return undefined;
  const [first, second] = content;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(content);
    return text.includes("\0") || hasTooManyLines(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The title of a text: the one that it says, the one that its source says, or its name. */
export function titleFor({ path, markdown, title }: SourceText): string {
  const name = path
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "");
  return readSource(markdown).title ?? title ?? titleOf(name || "page");
}

/** `[[Title|Page name]]` and `[[Page name]]` as links to the file of that page. */
const wikiLinks = (text: string): string =>
  text.replace(/\[\[([^[\]|\n]{1,200})(?:\|([^[\]|\n]{1,200}))?\]\]/g, (_, one: string, other?: string) => {
    const file = (other ?? one).trim().replace(/ +/g, "-");
    return `[${one.trim()}](<${file.replace(/[<>]/g, "")}.md>)`;
  });

/** 400 for a source that holds no text. */
export function unreadableText(what: string): never {
  return refuse("BAD_REQUEST", `body.url: ${what} can not be read as text`, { reason: "unreadable_content" });
}
