import type { FileTarget, Target } from "@octavo/html/page";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Book, BookPage } from "@octavo/pdf/book";
import { type Reading, readDocument } from "../documents/reading.js";

/** What the process that makes a PDF is sent, one after the other. Maps and dates can be cloned, functions can not. */
export type Part =
  | ({ kind: "head" } & Pick<Book, "title" | "subtitle" | "emoji" | "edition" | "language" | "isExcerpt">)
  | ({ kind: "page"; reading?: Reading } & Omit<BookPage, "document">)
  | { kind: "reusable"; id: string; reading: Reading }
  /** A page of the space that is not in the book, and where it is shown. */
  | ({ kind: "elsewhere"; id: string } & Target)
  | { kind: "file"; id: string; target: FileTarget };

/** Puts a book together of its parts: reads the texts, which is most of the work. */
export function bookOf(parts: Part[]): Book {
  let head: Extract<Part, { kind: "head" }> | undefined;
  const pages: BookPage[] = [];
  const elsewhere = new Map<string, Target>();
  const files = new Map<string, FileTarget>();
  const reusables = new Map<string, Reading>();
  const read = new Map<string, JSONDocument>();
  for (const part of parts) {
    if (part.kind === "head") head = part;
    else if (part.kind === "file") files.set(part.id, part.target);
    else if (part.kind === "reusable") reusables.set(part.id, part.reading);
    else if (part.kind === "elsewhere") elsewhere.set(part.id, part);
    else {
      const { kind: _, reading, ...page } = part;
      pages.push({ ...page, ...(reading && { document: readDocument(reading) }) });
    }
  }
  return {
    ...head!,
    pages,
    link: ({ kind, page, anchor, space }: Ref) => {
      if ((kind !== "page" && kind !== "anchor") || space !== undefined) return undefined;
      const found = elsewhere.get(String(page));
      if (!found || typeof anchor !== "string") return found;
      return { ...found, href: `${found.href}#${encodeURIComponent(anchor)}` };
    },
    file: ({ kind, file }) => (kind === "file" ? files.get(String(file)) : undefined),
    reusable({ reusableContent, space }) {
      const id = String(reusableContent);
      const reading = space === undefined ? reusables.get(id) : undefined;
      if (reading && !read.has(id)) read.set(id, readDocument(reading));
      return reading && read.get(id);
    },
  };
}
