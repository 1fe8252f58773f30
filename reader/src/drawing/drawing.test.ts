import { block, type JSONDocument, leaf, paragraph, textNode } from "@octavo/markdown/document/nodes";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { rssOf } from "../formats/rss.js";
import type { Place } from "../site/places.js";
import type { Site } from "../site/site.js";
import { type Space, spaceFrom } from "../site/space.js";
import { page } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { createDrawing } from "./drawing.js";
import { factsOf } from "./facts.js";
import { inputFor } from "./input.js";
import { drawDocument } from "./tasks.js";

// A thread that runs sources takes seconds to start.
const drawing = createDrawing({ deadline: 60_000 });
afterAll(() => drawing.close());

const place = { base: "/sites/a/", space: "s" } as Place;
const site = {
  spaces: [{ space: "t", href: "/sites/a/t/" }],
  spoken: "de",
  words: wordsIn("de"),
  newTab: false,
} as Site;
const space = spaceFrom("k", { files: [], pages: [page("home", "Home"), page("a", "Page A")] });
const other = spaceFrom("t", { files: [], pages: [page("first", "First"), page("there", "There")] });

const code = (text: string, syntax: string) =>
  block(
    "code",
    { syntax },
    text.split("\n").map((line) => block("code-line", {}, [textNode([leaf(line)])])),
  );
const linkTo = (ref: object) => block("content-ref", { ref }, []);
const documentOf = (...nodes: JSONDocument["nodes"]): JSONDocument => ({
  object: "document",
  data: {},
  nodes,
});
const referred = { spaces: new Map<string, Space>([["t", other]]), reusables: new Map() };
const input = (document: JSONDocument, time = 30_000) => {
  const json = JSON.stringify(document);
  return inputFor({ place, site, space, json, facts: factsOf(document), referred }, time);
};
const draw = (document: JSONDocument) => drawing.draw("one", input(document), document);

test("what a document names of its space and of others is all that a thread receives, and is linked as here", async () => {
  const refs = [
    { kind: "page", page: "home" },
    { kind: "page", page: "a" },
    { kind: "page", space: "t", page: "there" },
    { kind: "page", page: "unknown" },
  ];
  const document = documentOf(...refs.map(linkTo), code("const a = 1;", "js"));
  const handed = input(document);
  expect(handed.own.entries.map(({ id }) => id).sort()).toEqual(["a", "home"]);
  const html = await drawing.draw("one", handed);
  expect(html).toBe(drawDocument(handed, document));
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    "/sites/a/",
    "/sites/a/a",
    "/sites/a/t/there",
  ]);
  expect(html).toContain('<span class="k">const</span>');
});

test("documents with much code or of many blocks are drawn on threads, short ones at once", async () => {
  const before = drawing.done;
  const words = documentOf(block("paragraph", {}, [textNode([leaf("words")])]));
  expect(await draw(words)).toBe("<p>words</p>");
  const little = await draw(documentOf(code("", "js")));
  expect(little).toContain("<pre");
  expect(drawing.done).toBe(before);
  const long = documentOf(...Array.from({ length: 4_000 }, () => words.nodes[0]!));
  await draw(long);
  await draw(documentOf(code("a;\n".repeat(16_000), "js")));
  expect(drawing.done).toBe(before + 2);
});

test("a document that is very long is read on a thread alone, and says there what it refers to", async () => {
  const before = drawing.done;
  const paragraph = block("paragraph", {}, [textNode([leaf("some words ".repeat(50))])]);
  const words = [textNode([leaf("A heading")])];
  const heading = { ...block("heading-1", {}, words), meta: { id: "a-heading" } };
  const long = documentOf(
    heading,
    linkTo({ kind: "page", space: "t", page: "there" }),
    ...Array.from({ length: 1_000 }, () => paragraph),
  );
  const json = JSON.stringify(long);
  const { facts, document } = await drawing.open("one", json);
  expect([document, drawing.done]).toEqual([undefined, before + 1]);
  expect(facts).toEqual(JSON.parse(JSON.stringify(factsOf(long))));
  expect(facts.refs).toEqual([{ kind: "page", space: "t", page: "there" }]);
  expect(facts.outline).toMatchObject([{ title: "A heading" }]);
  const handed = inputFor({ place, site, space, json, facts, referred }, 30_000);
  const html = await drawing.draw("one", handed);
  expect(html).toBe(drawDocument(handed, long));
  expect(html).toContain('href="/sites/a/t/there"');
  const short = await drawing.open("one", JSON.stringify(documentOf(heading)));
  expect([short.document, short.facts]).toEqual([documentOf(heading), factsOf(documentOf(heading))]);
  expect(drawing.done).toBe(before + 2);
});

test("the feed of a document that is very long is made on a thread", async () => {
  const before = drawing.done;
  const feed = { title: "Log", description: "", url: "https://docs.example/log" };
  const update = (text: string) =>
    block("update", { date: "2026-03-01" }, [paragraph([textNode([leaf(text)])])]);
  const feedOf = (document: JSONDocument) => drawing.feed("one", { json: JSON.stringify(document), feed });
  const short = documentOf(update("words"));
  expect(await feedOf(short)).toBe(rssOf(short, feed));
  expect(await feedOf(documentOf())).toBeUndefined();
  expect(drawing.done).toBe(before);
  const long = documentOf(update("words ".repeat(100_000)));
  expect(await feedOf(long)).toBe(rssOf(long, feed));
  expect(await feedOf(documentOf(paragraph([textNode([leaf("words ".repeat(100_000))])])))).toBeUndefined();
  expect(drawing.done).toBe(before + 2);
});

test("short code that takes long is drawn on a thread, where it has the time that pages have", async () => {
  // As if nobody had any time for it.
  const busy = createDrawing({ deadline: 60_000, atOnce: 0 });
  try {
    const short = documentOf(code("const a = 1;", "js"));
    expect(await busy.draw("one", input(short), short)).toContain('<span class="k">const</span>');
    expect(busy.done).toBe(1);
    const words = documentOf(block("paragraph", {}, [textNode([leaf("words")])]));
    expect(await busy.draw("one", input(words), words)).toBe("<p>words</p>");
    expect(busy.done).toBe(1);
  } finally {
    await busy.close();
  }
});

test("a page of another site does not wait for those of one that take long", async () => {
  const hostile = documentOf(
    ...Array.from({ length: 40 }, () => code(`${"a = /* ".repeat(250)}\n`.repeat(30), "js")),
  );
  const small = createDrawing({ deadline: 60_000 });
  try {
    // Two at a time are two threads.
    await Promise.all([small.warm(), small.warm()]);
    const done: string[] = [];
    const hostileOnes = Array.from({ length: 8 }, () =>
      small.draw("hostile", input(hostile, 100)).then(() => done.push("hostile")),
    );
    const plain = await small
      .draw("other", input(documentOf(code("const a = 1;\n".repeat(1_000), "js"))))
      .then((html) => {
        done.push("other");
        return html;
      });
    await Promise.all(hostileOnes);
    expect(plain).toContain('class="k"');
    expect(done.indexOf("other")).toBeLessThan(8);
  } finally {
    await small.close();
  }
});

test("nothing takes longer than its deadline: it is refused when it does not end without colors either", async () => {
  const none = createDrawing({ threads: 1, deadline: 1 });
  const long = documentOf(
    ...Array.from({ length: 20_000 }, (_, at) => block("heading-1", {}, [textNode([leaf(`Part ${at}`)])])),
  );
  try {
    await expect(none.draw("one", input(long))).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  } finally {
    await none.close();
  }
});

test("no site makes more documents wait for a thread than half of those that may, so that others are drawn", async () => {
  const few = createDrawing({ deadline: 60_000, open: 4 });
  onTestFinished(() => few.close());
  const long = input(documentOf(code("const a = 1;", "js")));
  const first = few.draw("one", long);
  await expect(few.draw("one", long)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const other = few.draw("two", long);
  expect(await other).toBe(await first);
  expect(await few.draw("one", long)).toBe(await first);
});
