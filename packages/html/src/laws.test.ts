import { withAnchors } from "@octavo/markdown/document/anchors";
import {
  type Block,
  block,
  type JSONDocument,
  leaf,
  mark,
  paragraph,
  textNode,
} from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { randomDocument } from "@octavo/markdown/document/testing";
import { BLOCK_TYPES, INLINE_TYPES, MARK_TYPES } from "@octavo/markdown/document/types";
import { AMPLIFIED, NESTED, randomHostile } from "@octavo/markdown/testing/hostile";
import { randomPage, randomText, seeded } from "@octavo/markdown/testing/random";
import { expect, test } from "vitest";
import { type Page, PLAIN_PAGE } from "./page.js";
import { read } from "./read.js";
import { renderDocument } from "./render.js";
import { expectSafe } from "./testing/expect-safe.js";
import { HOSTILE } from "./testing/hostile.js";
import { everything } from "./testing/samples.js";
import { elementsOf, skeletonOf } from "./testing/structure.js";

const documentOf = (...nodes: Block[]): JSONDocument => ({ object: "document", data: {}, nodes });

/** A page on which everything that is referred to is called, and lies at, what is hostile. */
const pageOf = (text: string): Page => ({
  ...PLAIN_PAGE,
  read,
  link: ({ url }) => ({
    href: typeof url === "string" ? url : text,
    title: text,
    description: text,
    icon: text,
    emoji: text,
  }),
  file: ({ url }) => ({
    href: typeof url === "string" ? url : text,
    name: text,
    size: 12,
    width: 3,
    height: 2,
  }),
  reusable: () => documentOf(paragraph([textNode([leaf(text)])])),
});

test("every block, inline and mark of the schema is in the sample that the laws are about", () => {
  const types = new Set(
    [...JSON.stringify(everything("a")).matchAll(/"type":"([^"]+)"/g)].map(([, type]) => type),
  );
  expect([...BLOCK_TYPES, ...INLINE_TYPES, ...MARK_TYPES].filter((type) => !types.has(type))).toEqual([]);
});

test("there are 400 hostile texts, all different", () => {
  expect(new Set(HOSTILE).size).toBe(400);
});

test("no element, attribute, scheme or style of theirs comes out of 400 hostile texts in every place of a document", () => {
  for (const text of HOSTILE) expectSafe(renderDocument(everything(text), pageOf(text)), text);
});

test("a hostile text makes no other elements than a plain one, wherever nothing but words can stand", () => {
  const plain = documentOf(...wordsIn("plain"));
  const skeleton = skeletonOf(renderDocument(plain, PLAIN_PAGE));
  for (const text of HOSTILE) {
    const made = renderDocument(documentOf(...wordsIn(text)), PLAIN_PAGE);
    expect(skeletonOf(made), text).toBe(skeleton);
  }
});

/** Places whose text is never an address, a language or a name of something else. */
function wordsIn(text: string): Block[] {
  const line = [
    textNode([
      leaf(text.replaceAll("\n", " ")),
      leaf(text.replaceAll("\n", " "), [mark("bold"), mark("code")]),
    ]),
  ];
  return [
    paragraph(line),
    { ...block("heading-1", {}, line), meta: { id: "here" } },
    block("code", { title: text, lineNumbers: true }, [block("code-line", {}, line)]),
    block("code", {}, [block("code-line", {}, line)]),
    block("tabs", {}, [block("tabs-item", { title: text }, [paragraph(line)])]),
    block("images", {}, [
      {
        ...block("image", { ref: { kind: "url", url: "a.png" }, alt: text }, []),
        fragments: [{ object: "fragment", fragment: "caption", nodes: [paragraph(line)] }],
      },
    ]),
    block("updates", {}, [
      block("update", { date: text, tags: [{ kind: "tag", tag: text }] }, [paragraph(line)]),
    ]),
    block("prompt", { description: text }, [block("code", {}, [block("code-line", {}, line)])]),
    block(
      "openapi-operation",
      { path: text, method: "get", ref: { kind: "url", url: "https://a.example/" } },
      [],
    ),
  ];
}

test("whatever a random document or a hostile page holds, nothing but our elements and attributes comes out", () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = seeded(seed);
    expectSafe(renderDocument(withAnchors(randomDocument(random)), PLAIN_PAGE), `document ${seed}`);
    for (const make of [randomPage, randomText])
      expectSafe(renderDocument(withAnchors(parseDocument(make(random))), PLAIN_PAGE), `page ${seed}`);
  }
  for (let seed = 0; seed < 40; seed += 1)
    expectSafe(
      renderDocument(parseDocument(randomHostile(seeded(seed), 2000)), PLAIN_PAGE),
      `hostile ${seed}`,
    );
});

test("what data holds instead of what it should is as good as missing", () => {
  for (const junk of [null, 7, [], {}, "", "\0", { kind: 7 }, [{ kind: "url", url: {} }], Number.NaN]) {
    const broken = JSON.parse(JSON.stringify(everything("a")), (key, value) =>
      ["object", "type", "nodes", "leaves", "text", "marks", "fragments", "data", "fragment"].includes(key) ||
      typeof value === "object"
        ? value
        : junk,
    );
    expectSafe(renderDocument(broken, PLAIN_PAGE), `${JSON.stringify(junk)}`);
  }
});

test.each([...AMPLIFIED, ...NESTED])(
  "the HTML of a page of $name is not many times as long as its document",
  ({ make }) => {
    const document = withAnchors(parseDocument(make(8_000)));
    const html = renderDocument(document, PLAIN_PAGE);
    expect(html.length).toBeLessThan(6 * JSON.stringify(document).length + 20_000);
  },
);

test("twice as much of every block makes HTML twice as long", () => {
  for (const node of everything("some words").nodes) {
    // Of what is not drawn in time less is written, and that is none of this.
    const lengthOf = (count: number) =>
      renderDocument(documentOf(...Array.from({ length: count }, () => structuredClone(node))), PLAIN_PAGE, {
        time: 60_000,
      }).length;
    const [few, many] = [lengthOf(50), lengthOf(100)];
    expect(many, node.type).toBeLessThanOrEqual(2.1 * few);
  }
});

test("what is included again and again, or includes itself, ends", () => {
  const included = documentOf(
    ...Array.from({ length: 100 }, () => paragraph([textNode([leaf("words")])])),
    block("reusable-content", { ref: { kind: "reusable-content", reusableContent: "r" } }, []),
  );
  const page = { ...PLAIN_PAGE, reusable: () => included };
  const uses = Array.from({ length: 1_000 }, () => structuredClone(included.nodes.at(-1)!));
  const html = renderDocument(documentOf(...uses), page);
  const count = elementsOf(html).filter(({ name }) => name === "p").length;
  expect(count).toBeGreaterThan(10_000);
  expect(count).toBeLessThanOrEqual(20_000);
});
