import { expect, test } from "vitest";
import { extractLinks } from "../links/links.js";
import { anchorsOf, referencesIn } from "../links/references.js";
import { mergeMarkdown } from "../merge/merge.js";
import { readVariables } from "../navigation/variables.js";
import { sections } from "../source/sections.js";
import { readSource } from "../source/source.js";
import { AMPLIFIED, EVALUATED, NESTED, randomHostile, YAMLS } from "../testing/hostile.js";
import { seeded } from "../testing/random.js";
import { withAnchors } from "./anchors.js";
import { evaluateDocument } from "./evaluate.js";
import { withKeys } from "./keys.js";
import { parseDocument } from "./parse.js";
import { placesOfKeys } from "./places.js";
import { renderDocument } from "./render.js";

/** What a value holds: its objects, which its size in memory grows with, and its characters, those of names too. */
function sizeOf(value: unknown) {
  const open = [value];
  const size = { objects: 0, characters: 0 };
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string") size.characters += one.length;
    if (typeof one !== "object" || one === null) continue;
    size.objects += 1;
    for (const [name, inner] of Object.entries(one)) {
      size.characters += name.length;
      open.push(inner);
    }
  }
  return size;
}

const SIZE = 20_000;
const long = "v".repeat(30_000);
const inputs = { space: { vars: { long } }, page: { vars: { long } }, visitor: { claims: {} } };

/** Whatever reads a page. */
const READS: Record<string, (page: string) => unknown> = {
  document: (page) => withKeys(withAnchors(parseDocument(page))),
  written: (page) => renderDocument(parseDocument(page)),
  evaluated: (page) => evaluateDocument(parseDocument(page), { inputs, source: page }).document,
  places: placesOfKeys,
  sections,
  source: readSource,
  links: (page) => [referencesIn(page), extractLinks(page), anchorsOf(page)],
  merged: (page) => mergeMarkdown({ base: page, ours: `${page}\n\nours\n`, theirs: `theirs\n\n${page}` }),
  conflicts: (page) =>
    mergeMarkdown({ base: page, ours: page.replaceAll("a", "b"), theirs: page.replaceAll("a", "c") }),
};

/** A page of a few kilobytes may expand to this many times its characters, and each of its characters so many nodes. */
function expectBounded(page: string, what: string) {
  for (const [name, read] of Object.entries(READS)) {
    const { objects, characters } = sizeOf(read(page));
    expect(objects, `objects of ${name} of ${what}`).toBeLessThan(20 * page.length + 100_000);
    expect(characters, `characters of ${name} of ${what}`).toBeLessThan(300 * page.length + 5_000_000);
  }
}

test.each([...AMPLIFIED, ...NESTED, ...EVALUATED])(
  "what is made of a page of $name has a bounded size",
  ({ name, make }) => {
    expectBounded(make(SIZE), name);
  },
  60_000,
);

test("what is made of hostile pages by chance has a bounded size", () => {
  for (let seed = 0; seed < 150; seed += 1) expectBounded(randomHostile(seeded(seed), 4000), `seed ${seed}`);
});

test.each(YAMLS)("what is read of a file of $name has a bounded size", ({ make }) => {
  const source = make(30_000);
  expect(sizeOf(readVariables(source)).characters).toBeLessThan(10 * source.length);
  expect(sizeOf(readSource(`---\n${source}\n---\n\na\n`)).characters).toBeLessThan(10 * source.length);
});

test("a note that is used again and again is expanded as often as there is room, and is parsed once", () => {
  const page = `${"[^a] ".repeat(1600)}\n\n[^a]: ${"*b* ".repeat(1600)}\n`;
  const document = parseDocument(page);
  const notes = JSON.stringify(document).split("annotation-body").length - 1;
  expect(notes).toBeGreaterThan(0);
  expect(notes).toBeLessThan(20);
  const written = renderDocument(document);
  expect(written.includes("\\[^a")).toBe(true);
  expect(renderDocument(parseDocument(written)) === written).toBe(true);
});

test("a note that is used twice has the same content both times, and each block of it has a key of its own", () => {
  const document = withKeys(parseDocument("a[^n] b[^n]\n\n[^n]: * [x] done\n\n    more\n"));
  const [line] = document.nodes;
  const [one, two] = (line!.nodes ?? []).flatMap((node) =>
    node.object === "inline" ? [node.fragments![0]!.nodes] : [],
  );
  const bare = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, of) => (key === "key" ? undefined : of)));
  expect(bare(one)).toEqual(bare(two));
  expect(one!.map(({ key }) => key)).not.toEqual(two!.map(({ key }) => key));
});

test("an address that is used again and again is a link as often as there is room, and words from there on", () => {
  const page = `${"[a] ".repeat(20_000)}\n\n[a]: ${"x".repeat(100_000)}\n`;
  const document = parseDocument(page);
  const links = JSON.stringify(document).split('"link"').length - 1;
  expect(links).toBeGreaterThan(0);
  expect(links).toBeLessThan(40);
  const again = parseDocument(renderDocument(document));
  expect(JSON.stringify(again) === JSON.stringify(document)).toBe(true);
});

test("notes in code that are more than there is room for leave the code and the note as they are written", () => {
  const code = `<pre><code>${'<a data-footnote-ref href="#user-content-fn-a">b</a>'.repeat(200)}</code></pre>`;
  const note = `[^a]: ${"*b* ".repeat(2000)}`;
  const written = renderDocument(parseDocument(`${code}\n\n${note}\n`));
  expect(written.includes(code) && written.includes(note.trim())).toBe(true);
});

test("expressions stay when their values together are too long, or become empty when they read the visitor", () => {
  const page = `${'<code class="expression">space.vars.long</code> '.repeat(100)}\n\n<code class="expression">visitor.claims.a ?? space.vars.long</code>\n`;
  const { document } = evaluateDocument(parseDocument(page), { inputs });
  const kept = JSON.stringify(document).split('"expression":').length - 1;
  expect(kept).toBe(100 - Math.floor(2_000_000 / long.length));
  expect(JSON.stringify(document)).not.toContain("visitor");
});
