import { expect, test } from "vitest";
import { reusableText } from "./texts.js";

const note = { stored: "", title: "Note", formerTitle: "Note" };
const front = "---\ntitle: Note\n---\n\n";

test("the title of a reusable content stands in its frontmatter, unless a heading of the text is read as it", () => {
  const markdown = (markdown: string) => reusableText({ ...note, sent: { markdown, isHeaded: false } }).text;
  expect(markdown("Text.\n")).toBe(`${front}Text.\n`);
  expect(markdown("---\ntitle: Other\nif: visitor.claims\n---\n\nText.\n")).toBe(
    "---\ntitle: Note\nif: visitor.claims\n---\n\nText.\n",
  );
  expect(markdown("# Other\n\nText.\n")).toBe("# Note\n\nText.\n");
  expect(markdown("")).toBe(front);
});

test("a document loses the heading above it, where nothing in it would be taken for a title or for frontmatter", () => {
  const document = (body: string) =>
    reusableText({ ...note, sent: { markdown: `# Note\n\n${body}`, isHeaded: true } }).text;
  expect(document("Text.")).toBe(`${front}Text.`);
  expect(document("    indented")).toBe(`${front}    indented`);
  for (const body of ["# Heading\n\nText.", "---\n\na: b\n\n---"])
    expect(document(body)).toBe(`# Note\n\n${body}`);
});

test("an edit keeps the frontmatter and the title that it says nothing about", () => {
  const stored = "---\n# kept\ntitle: Note\n---\n\nText.\n";
  const edit = (rest: object) => reusableText({ stored, formerTitle: "Note", ...rest });
  const sent = (markdown: string) => ({ sent: { markdown, isHeaded: false } });
  expect(edit({ title: "Other" })).toEqual({ title: "Other", text: stored.replace("Note", "Other") });
  expect(edit(sent("More.\n"))).toEqual({ title: "Note", text: stored.replace("Text", "More") });
  expect(edit(sent("# Said\n")).title).toBe("Said");
  const untitled = { stored: "Text.\n", formerTitle: "note" };
  expect(reusableText({ ...untitled, ...sent("More.\n") })).toEqual({
    title: "note",
    text: "---\ntitle: note\n---\n\nMore.\n",
  });
});
