import { HOSTILE as HOSTILE_HTML } from "@octavo/html/testing/hostile";
import { everything } from "@octavo/html/testing/samples";
import { withAnchors } from "@octavo/markdown/document/anchors";
import {
  type Block,
  block,
  type JSONDocument,
  leaf,
  paragraph,
  textNode,
} from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { randomDocument } from "@octavo/markdown/document/testing";
import { BLOCK_TYPES, INLINE_TYPES, MARK_TYPES } from "@octavo/markdown/document/types";
import { NESTED, randomHostile } from "@octavo/markdown/testing/hostile";
import { seeded } from "@octavo/markdown/testing/random";
import { expect, test } from "vitest";
import type { Book, BookPage } from "./book.js";
import { drawBook } from "./draw.js";
import { HOSTILE } from "./testing/hostile.js";
import { bare, bookOf, pdfOf, readPdf } from "./testing/reading.js";

const words = (text: string): Block => paragraph([textNode([leaf(text)])]);
const document = (...nodes: Block[]): JSONDocument => ({ object: "document", data: {}, nodes });
const heading = block("heading-1", {}, []);
const page = (document: JSONDocument, index: number, title = "A page"): BookPage => ({
  id: `${index}`,
  title,
  depth: index % 4,
  document,
});

/** A book in which everything that is referred to is called what is hostile. */
const hostileBook = (texts: string[]): Partial<Book> => ({
  title: texts[0],
  subtitle: texts[0],
  edition: [texts[0]!],
  language: texts[0],
  isExcerpt: false,
  pages: texts.map((text, index) => ({
    ...page(document(words(text), ...everything(text).nodes), index, text || "A page"),
    description: text,
    emoji: text,
    icon: text,
    cover: { kind: "file", file: text },
  })),
  link: ({ url }) => ({
    href: typeof url === "string" ? url : texts[0]!,
    title: texts[0],
    description: texts[0],
  }),
  file: () => ({ href: "image-1.png", name: texts[0]!, size: 12 }),
  reusable: () => document(words(texts[0]!)),
});

test("the sample that the laws are about has every block, inline and mark of the schema", () => {
  const types = new Set(
    [...JSON.stringify(everything("a")).matchAll(/"type":"([^"]+)"/g)].map(([, type]) => type),
  );
  expect([...BLOCK_TYPES, ...INLINE_TYPES, ...MARK_TYPES].filter((type) => !types.has(type))).toEqual([]);
});

/** The structure of a sheet without its text: words, and parts of them where a line may break, are all the same. */
const skeletonOf = (given: Partial<Book>): string =>
  JSON.stringify(drawBook(bookOf(given)), (key, value: unknown) =>
    typeof value === "string" && !["e", "m", "kind"].includes(key) ? "" : value,
  );

test("400 texts that are hostile to the typesetter are in the PDF as they are", async () => {
  expect(new Set(HOSTILE).size).toBe(400);
  const pages = HOSTILE.map((text, index) =>
    page(document(words(text), { ...heading, nodes: words(text).nodes }), index, text),
  );
  const { text } = await readPdf(pdfOf({ pages, isExcerpt: false }));
  const read = bare(text);
  for (const one of HOSTILE) expect(read, one).toContain(bare(one).repeat(3));
});

test("each kind of them is set in every place of a document, and leads nowhere else", async () => {
  const texts = HOSTILE.filter((_, index) => index % 8 === Math.floor(index / 8) % 8);
  const { text, links } = await readPdf(pdfOf(hostileBook(texts)));
  const read = bare(text);
  for (const one of texts) expect(read, one).toContain(bare(one));
  for (const link of await links())
    if (typeof link === "string") expect(link).toMatch(/^(?:https?|mailto|tel):/);
});

test("no element is made of them, and no address of another scheme of 400 that are hostile to browsers", () => {
  const skeleton = skeletonOf({ pages: [page(document(words("plain")), 0)] });
  for (const text of [...HOSTILE, ...HOSTILE_HTML]) {
    const line = text.replaceAll("\n", " ").slice(0, 24);
    expect(skeletonOf({ pages: [page(document(words(line)), 0)] }), text).toBe(skeleton);
  }
  for (const text of [...HOSTILE, ...HOSTILE_HTML].filter(
    (_, index) => index % 8 === Math.floor(index / 8) % 8,
  )) {
    const sheet = JSON.stringify(drawBook(bookOf({ ...hostileBook([text]), isExcerpt: true })));
    const leads = [...sheet.matchAll(/"to":"((?:[^"\\]|\\.)*)"/g)].map(([, to]) => to);
    for (const to of leads) expect(to).toMatch(/^(?:https?|mailto|tel):/);
  }
});

test("random documents and hostile pages are set", () => {
  const random = Array.from({ length: 60 }, (_, seed) => withAnchors(randomDocument(seeded(seed))));
  const hostile = Array.from({ length: 30 }, (_, seed) =>
    withAnchors(parseDocument(randomHostile(seeded(seed), 2000))),
  );
  const made = pdfOf({ pages: [...random, ...hostile].map((one, index) => page(one, index)) });
  expect(made.subarray(0, 5).toString()).toBe("%PDF-");
});

test.each(NESTED)(
  "a page of $name is set, and what nests too deep is there by its words",
  ({ make }) => {
    const nested = withAnchors(parseDocument(make(8_000)));
    expect(pdfOf({ pages: [page(nested, 0)] }).length).toBeGreaterThan(1_000);
  },
  60_000,
);

test.each(["blockquote", "list-unordered", "tabs", "stepper", "columns", "hint", "list-tasks"])(
  "%s in itself, as deep as it gets, is set with the innermost words",
  async (type) => {
    const inner: Record<string, string> = {
      "list-unordered": "list-item",
      "list-tasks": "list-item",
      tabs: "tabs-item",
      stepper: "stepper-step",
      columns: "column",
    };
    const around = (nodes: Block[]): Block =>
      inner[type] ? block(type, {}, [block(inner[type], {}, nodes)]) : block(type, {}, nodes);
    let nested = words("innermost");
    for (let depth = 0; depth < 60; depth += 1) nested = around([nested]);
    const { text } = await readPdf(pdfOf({ pages: [page(document(nested), 0)] }));
    expect(bare(text)).toContain("innermost");
  },
  60_000,
);

test("what data holds instead of what it should is as good as missing", () => {
  const pages = [null, 7, [], {}, "", "\0", { kind: 7 }, [{ kind: "url", url: {} }]].map((junk, index) => {
    const broken: JSONDocument = JSON.parse(JSON.stringify(everything("a")), (key, value) =>
      ["object", "type", "nodes", "leaves", "text", "marks", "fragments", "data", "fragment"].includes(key) ||
      typeof value === "object"
        ? value
        : junk,
    );
    return page(broken, index);
  });
  expect(pdfOf({ pages }).length).toBeGreaterThan(1_000);
});
