import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withAnchors } from "@octavo/markdown/document/anchors";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { getDocumentProxy } from "unpdf";
import type { Book, BookPage } from "../book.js";
import { drawBook } from "../draw.js";
import { typeset } from "../typeset.js";

/** A book of nothing but what is given. */
export const bookOf = (given: Partial<Book>): Book => ({
  title: "A book",
  edition: [],
  language: "en",
  isExcerpt: true,
  pages: [],
  link: () => undefined,
  file: () => undefined,
  reusable: () => undefined,
  ...given,
});

/** A page of a book with this markdown. */
export const pageOf = (markdown: string, given: Partial<BookPage> = {}): BookPage => ({
  id: "page",
  title: "A page",
  depth: 0,
  document: documentOf(markdown),
  ...given,
});

export const documentOf = (markdown: string): JSONDocument =>
  withAnchors(parseDocument(markdown, { body: true }));

interface Setting {
  /** Images by their names. */
  files?: Record<string, Buffer>;
  standard?: string;
}

/** The PDF of a book. */
export function pdfOf(given: Partial<Book>, { files = {}, standard }: Setting = {}): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "octavo-pdf-test-"));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return typeset(drawBook(bookOf(given)), { folder, images: Object.keys(files), standard });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Node {
  role?: string;
  alt?: string;
  children?: Node[];
}

/** As much of another program as is asked here: it has no types. */
interface ReadSheet {
  getTextContent(): Promise<{ items: { str?: string; hasEOL?: boolean }[] }>;
  getStructTree(): Promise<Node | null>;
  getAnnotations(): Promise<{ url?: string; dest?: string | unknown[] }[]>;
  getOperatorList(): Promise<{ fnArray: number[]; argsArray: unknown[][] }>;
  commonObjs: { get(name: string): { name: string; missingFile?: boolean } };
}

/** What another program reads in a PDF. */
export async function readPdf(pdf: Uint8Array) {
  const read = await getDocumentProxy(new Uint8Array(pdf));
  const all: ReadSheet[] = [];
  for (let at = 1; at <= read.numPages; at += 1) all.push((await read.getPage(at)) as ReadSheet);
  const texts = await Promise.all(
    all.map(async (sheet) => {
      const { items } = await sheet.getTextContent();
      return items.map(({ str = "", hasEOL }) => str + (hasEOL ? "\n" : "")).join("");
    }),
  );
  return {
    sheets: read.numPages,
    texts,
    text: texts.join("\n"),
    outline: ((await read.getOutline()) ?? []) as { title: string; items: { title: string }[] }[],
    marked: (await read.getMarkInfo())?.Marked === true,
    info: ((await read.getMetadata()).info ?? {}) as { Title?: string; Language?: string },
    /** The roles of the tags of a sheet, in their order. */
    roles: async (sheet: number) => rolesIn(await all[sheet - 1]!.getStructTree()),
    /** Where the links of all sheets lead: an address, or the number of a sheet. */
    links: async () => {
      const found: (string | number)[] = [];
      for (const sheet of all)
        for (const one of await sheet.getAnnotations()) {
          if (one.url) found.push(one.url);
          else if (one.dest) {
            const dest = typeof one.dest === "string" ? await read.getDestination(one.dest) : one.dest;
            if (dest) found.push((await read.getPageIndex(dest[0])) + 1);
          }
        }
      return found;
    },
    /** The names of the fonts of all sheets, and whether the PDF holds them. */
    fonts: async () => {
      const fonts = new Map<string, boolean>();
      for (const sheet of all) {
        const { fnArray, argsArray } = await sheet.getOperatorList();
        // 37 is the operator that sets the font.
        const names = new Set(fnArray.flatMap((fn, at) => (fn === 37 ? [String(argsArray[at]![0])] : [])));
        for (const name of names) {
          const font = sheet.commonObjs.get(name);
          fonts.set(font.name.replace(/^[A-Z]{6}\+/, ""), font.missingFile !== true);
        }
      }
      return fonts;
    },
  };
}

function rolesIn(node: Node | null): string[] {
  if (!node) return [];
  return [...(node.role ? [node.role] : []), ...(node.children ?? []).flatMap((child) => rolesIn(child))];
}

/** A text without blanks, as what is read in a PDF is compared: lines end where the sheet does. */
export const bare = (text: string): string => text.replace(/\s+/g, "");
