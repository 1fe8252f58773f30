import { expect, test } from "vitest";
import { drawBook } from "./draw.js";
import { bare, bookOf, documentOf, pageOf, pdfOf, readPdf } from "./testing/reading.js";

/** A PNG of 2 by 2 pixels. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
  "base64",
);
const file = () => ({ href: "image-1.png", name: "map.png", size: 1200 });

const HANDBOOK = [
  { ...pageOf(""), id: "group", title: "Guides", document: undefined },
  {
    ...pageOf(
      "See [the other](/broken/pages/two#deep-down) and [outside](https://example.com/a?b=1#c).\n\n" +
        "## Here\n\n[Below](#here)\n\n![A map](/broken/files/f)",
    ),
    id: "one",
    title: "One",
    depth: 1,
  },
  {
    ...pageOf("## First\n\nWords\n\n### Deep down\n\n[](/broken/pages/one)"),
    id: "two",
    title: "Two",
    depth: 1,
  },
];

test("a book has a title page, contents that lead to its pages, and the pages in their order", async () => {
  const read = await readPdf(
    pdfOf(
      {
        title: "Handbook",
        subtitle: "Of all",
        edition: ["2026-11-23"],
        isExcerpt: false,
        pages: HANDBOOK,
        file,
      },
      {
        files: { "image-1.png": PNG },
      },
    ),
  );
  expect(read.texts[0]).toMatch(/Handbook\s+Of all\s+2026-11-23/);
  expect(read.texts[1]).toMatch(/Contents\s+Guides[\s.]+3\s+One[\s.]+3\s+Two[\s.]+4/);
  expect(read.texts[2]).toMatch(/Guides\s+One\s+See the other and outside/);
  expect(read.texts[3]).toMatch(/Two\s+First\s+Words\s+Deep down/);
  expect(read.info.Title).toBe("Handbook");
});

test("links lead to their page or section, or outside, and the outline to all headings", async () => {
  const read = await readPdf(pdfOf({ pages: HANDBOOK, file }, { files: { "image-1.png": PNG } }));
  expect(await read.links()).toEqual([2, "https://example.com/a?b=1#c", 1, 1]);
  const [group] = read.outline as { title: string; items: { title: string; items: { title: string }[] }[] }[];
  expect(group!.title).toBe("Guides");
  expect(group!.items.map(({ title, items }) => [title, items.map(({ title }) => title)])).toEqual([
    ["One", ["Here"]],
    ["Two", ["First"]],
  ]);
});

test("it is tagged: titles, paragraphs, lists, tables with their heads, code, formulas, notes and images with their words", async () => {
  const markdown =
    "Words[^1]\n\n* item\n\n| a | b |\n|---|---|\n| c | d |\n\n```js\nlet a;\n```\n\n$$\n\\frac{a}{b}\n$$\n\n" +
    "![A map](/broken/files/f)\n\n## Title\n\n> quote\n\n[^1]: A note";
  const read = await readPdf(
    pdfOf({ pages: [pageOf(markdown)], file }, { files: { "image-1.png": PNG }, standard: "ua-1" }),
  );
  expect(read.marked).toBe(true);
  const roles = await read.roles(1);
  for (const role of [
    "H1",
    "H2",
    "P",
    "L",
    "LI",
    "Table",
    "TR",
    "TH",
    "TD",
    "Code",
    "Formula",
    "Note",
    "Figure",
  ])
    expect(roles, role).toContain(role);
});

test("paragraphs in the header of a table are each on a line", () => {
  const markdown = "| <p>Column Type</p><p>Description</p> |\n|---|\n| c |";
  const [chapter] = drawBook(bookOf({ pages: [pageOf(markdown)] })).chapters;
  const [table] = chapter!.body as unknown as { columns: { title: unknown }[] }[];
  expect(JSON.stringify(table!.columns[0]!.title)).toMatch(/"Column Type".*"line-break".*"Description"/);
});

test("Chinese, Japanese, Korean, Arabic, Hebrew, Devanagari, Thai, Cyrillic and emoji are set in fonts that the PDF holds", async () => {
  const markdown =
    "中文 日本語のかな 한국어\n\nهذه فقرة عربية\n\nשלום עולם\n\nनमस्ते\n\nสวัสดี\n\nПривет 🚀 **粗体 عريض**\n\n`код 中`\n\n$$x^2 \\in \\mathbb{R}$$";
  const read = await readPdf(pdfOf({ pages: [pageOf(markdown, { title: "العنوان" })] }));
  const fonts = await read.fonts();
  expect([...fonts.values()].every(Boolean)).toBe(true);
  const names = [...fonts.keys()].join(" ");
  for (const family of ["SansSC", "SansKR", "SansArabic", "SansHebrew", "SansThai", "Emoji", "SansMono"])
    expect(names).toContain(`Noto${family}`);
  for (const words of ["中文", "한국어", "Привет"]) expect(bare(read.text)).toContain(words);
});

test("words in a script that is written from right to left are turned, and what stands between them is not", () => {
  const sheet = drawBook(
    bookOf({ pages: [pageOf("שלום\n\nHello\n\n```\nשלום\n```\n\n* مرحبا", { title: "שלום" })] }),
  );
  const [chapter] = sheet.chapters;
  expect(chapter!.dir).toBe("rtl");
  expect((chapter!.body as { e: string; dir?: string }[]).map(({ e, dir }) => dir ?? e)).toEqual([
    "rtl",
    "paragraph",
    "code",
    "rtl",
  ]);
});

test("an image that cannot be read, or is missing, is replaced by its description, and the others are shown", async () => {
  const files = {
    "image-1.png": PNG,
    "image-2.png": Buffer.from("no image"),
    "image-3.svg": Buffer.from("<svg"),
  };
  const markdown = [1, 2, 3, 4].map((at) => `![Picture ${at}](/broken/files/${at})`).join("\n\n");
  const read = await readPdf(
    pdfOf(
      {
        pages: [pageOf(markdown)],
        file: ({ file }) => ({ href: `image-${file}.${file === "3" ? "svg" : "png"}`, name: "a" }),
      },
      { files },
    ),
  );
  expect(read.text).not.toContain("Picture 1");
  for (const at of [2, 3, 4]) expect(read.text).toContain(`Picture ${at}`);
});

test("code is there as it is written, and a long line goes on below", async () => {
  const code = `if (a) {\n    return "${"x".repeat(300)}";\n}`;
  const read = await readPdf(pdfOf({ pages: [pageOf(`\`\`\`js\n${code}\n\`\`\``)] }));
  expect(bare(read.text)).toContain(bare(code));
});

test("levels of headings are left out nowhere on the way down, whatever authors leave out", () => {
  const sheet = drawBook(bookOf({ pages: [pageOf("##### Deep\n\n## Up\n\n###### Deeper", { depth: 3 })] }));
  const levels = JSON.stringify(sheet.chapters).matchAll(/"level":(\d)/g);
  expect([...levels].map(([, level]) => Number(level))).toEqual([1, 2, 2, 3]);
});

test("what includes itself ends, and notes in notes are set", async () => {
  const included = documentOf('Shared\n\n{% include "/broken/includes/r" %}');
  const made = pdfOf({
    pages: [pageOf('{% include "/broken/includes/r" %}\n\nA[^1]\n\n[^1]: One[^2]\n\n[^2]: Two')],
    reusable: () => included,
  });
  expect((await readPdf(made)).text).toContain("Shared");
});
