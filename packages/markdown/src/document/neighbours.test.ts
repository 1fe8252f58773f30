import { expect, test } from "vitest";
import { pick, type Random, seeded } from "../testing/random.js";
import { type InlineNode, type JSONDocument, leaf, mark, paragraph, plainText, textNode } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

const documentOf = (nodes: InlineNode[]): JSONDocument => ({
  object: "document",
  data: {},
  nodes: [paragraph(nodes)],
});
const written = (nodes: InlineNode[]) => renderDocument(documentOf(nodes));
const code = (text: string) => leaf(text, [mark("code")]);
const kept = (text: string) => leaf(text, [mark("code", { verbatim: true })]);
const textOf = (markdown: string) => plainText(parseDocument(markdown, { body: true }).nodes);

test("code next to code keeps its words", () => {
  expect(written([textNode([code("foo"), code("bar")])])).toBe("`foobar`\n");
  expect(written([textNode([code("foo")]), textNode([code("bar")])])).toBe("`foobar`\n");
  const beside = written([textNode([kept("`x`"), code("bar"), kept("`y`")])]);
  expect(textOf(beside)).toBe("xbary");
});

test.each(["<div>x", "</details>", "{% hint %}", "<!-- c -->"])(
  "a line break before %s stays one",
  (line) => {
    const first = parseDocument(`a<br>${line}`, { body: true });
    const source = renderDocument(first);
    expect(source).toBe(`a<br>${line}\n`);
    expect(parseDocument(source, { body: true })).toEqual(first);
  },
);

test("a footnote next to a tag without its start is written the same each time", () => {
  const first = renderDocument(parseDocument("{% endtab %}[^1]\n\n[^1]: note\n", { body: true }));
  expect(renderDocument(parseDocument(first, { body: true }))).toBe(first);
});

const WORDS = ["foo", "a b", "`", "``", "x*y", "_", "{", "!", "<b>", "é", "1."];
const MARKS = ["code", "bold", "italic", "strikethrough", "keyboard"];
const randomText = (random: Random): InlineNode =>
  textNode(
    Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      leaf(
        pick(random, WORDS),
        MARKS.filter((type) => random() < (type === "code" ? 0.6 : 0.15)).map((type) => mark(type)),
      ),
    ),
  );

test("texts and leaves of any marks next to each other keep their words", () => {
  for (let seed = 0; seed < 2000; seed += 1) {
    const random = seeded(seed);
    const nodes = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomText(random));
    const markdown = written(nodes);
    expect(textOf(markdown), `seed ${seed}: ${markdown}`).toBe(plainText(nodes));
  }
});
