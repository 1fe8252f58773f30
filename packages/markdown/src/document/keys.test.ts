import { expect, test } from "vitest";
import { pick, randomPage, randomText, seeded } from "../testing/random.js";
import { workOf } from "../testing/work.js";
import { blockWithKey, withKeys } from "./keys.js";
import type { Block, JSONDocument } from "./nodes.js";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";
import { randomDocument } from "./testing.js";

const read = (markdown: string) => withKeys(parseDocument(markdown, { body: true }));

/** The keys of all blocks, at any depth. */
function keysIn(document: JSONDocument): string[] {
  const keys: string[] = [];
  JSON.stringify(document.nodes, (_name, value) => {
    if (value?.object === "block") keys.push(value.key);
    return value;
  });
  return keys;
}

test("every block has a key of its own, and the same ones whenever the page is read or written and read again", () => {
  for (const make of [randomPage, randomText]) {
    for (let seed = 0; seed < 300; seed += 1) {
      const document = read(make(seeded(seed)));
      const keys = keysIn(document);
      expect(
        keys.every((key) => /^[a-z0-9-]{8,24}$/.test(key)),
        `seed ${seed}`,
      ).toBe(true);
      expect(new Set(keys).size, `seed ${seed}`).toBe(keys.length);
      expect(read(make(seeded(seed)))).toEqual(document);
      expect(read(renderDocument(document)), `seed ${seed}`).toEqual(document);
    }
  }
});

test("the keys of a submitted document are ignored: keys are derived from the content", () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const document = randomDocument(seeded(seed));
    const shown = read(renderDocument(document));
    for (const node of document.nodes) node.key = "mine";
    expect(read(renderDocument(document)), `seed ${seed}`).toEqual(shown);
    expect(blockWithKey(shown, keysIn(shown).at(-1)!)).toMatchObject({ object: "block" });
    expect(blockWithKey(shown, "mine")).toBeUndefined();
  }
});

const topKeys = ({ nodes }: JSONDocument) => nodes.map(({ key }) => key);
const words = (count: number) => Array.from({ length: count }, (_, at) => `Paragraph number ${at}.`);

test("blocks that an edit leaves alone keep their keys, wherever they come to stand", () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const random = seeded(seed);
    const blocks = words(8);
    const before = new Map(blocks.map((block, at) => [block, topKeys(read(blocks.join("\n\n")))[at]]));
    const edited = [...blocks];
    for (let edits = 0; edits < 3; edits += 1) {
      const at = Math.floor(random() * edited.length);
      pick(random, [
        () => edited.splice(at, 1),
        () => edited.splice(at, 0, `New ${seed} ${edits}.`),
        () => edited.splice(at, 1, `Other ${seed} ${edits}.`),
        () => edited.reverse(),
      ])();
    }
    const after = topKeys(read(edited.join("\n\n")));
    edited.forEach((block, at) => {
      if (before.has(block)) expect(after[at]).toBe(before.get(block));
      else expect([...before.values()]).not.toContain(after[at]);
    });
  }
});

test("a key is that of a block in its place: neither the same words elsewhere nor another neighbour change it", () => {
  expect(topKeys(read("> Text.\n\n* Text.\n\nText."))[2]).toBe(topKeys(read("Text."))[0]);
  const itemsOf = (markdown: string) => keysIn(read(markdown)).slice(1, 3);
  expect(itemsOf("* one\n* three")).toEqual(itemsOf("* one\n* two"));
  expect(itemsOf("1. one")).not.toEqual(itemsOf("* one"));
});

test("of blocks with the same content the second has a numbered key", () => {
  const [first, other, second] = topKeys(read("Same.\n\nOther.\n\nSame."));
  expect(second).toBe(`${first}-2`);
  expect(other).not.toContain(first);
});

test("a link counts as it is written, whether what it leads to is there or not", () => {
  const markdown =
    'See [this](page.md#part), ![](image.png)\n\n{% content-ref url="page.md" %}\n[page](page.md)\n{% endcontent-ref %}';
  const keys = (resolved: boolean) =>
    keysIn(
      withKeys(
        parseDocument(markdown, {
          body: true,
          resolve: (url) => (resolved ? { kind: "page", page: `id-of-${url}` } : undefined),
        }),
      ),
    );
  expect(keys(true)).toEqual(keys(false));
  expect(keys(true)).not.toEqual(keysIn(read(markdown.replaceAll("page.md", "other.md"))));
});

test("keys are work in proportion to the length, also of what nests as deep as it can", () => {
  const wide = parseDocument("Text with *marks* and `code`.\n\n".repeat(20_000), { body: true });
  const deep = parseDocument(`${"> ".repeat(10_000)}text`, { body: true });
  expect(workOf(() => withKeys(wide))).toBeLessThan(200 * 20_000);
  expect(workOf(() => withKeys(deep))).toBeLessThan(200 * 10_000);
  const keys = wide.nodes.map(({ key }: Block) => key);
  expect(new Set(keys).size).toBe(20_000);
});
