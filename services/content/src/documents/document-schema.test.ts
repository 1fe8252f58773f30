import { expect, test } from "vitest";
import type { z } from "zod";
import { jsonDocument, problemsIn } from "./document-schema.js";

const document = (...nodes: unknown[]) => ({ object: "document", data: {}, nodes });
const words = (text: unknown, marks: unknown = []) => ({
  object: "text",
  leaves: [{ object: "leaf", text, marks }],
});
const paragraph = (...nodes: unknown[]) => ({ object: "block", type: "paragraph", data: {}, nodes });
const block = (type: string, data: unknown = {}, ...nodes: unknown[]) => ({
  object: "block",
  type,
  data,
  ...(nodes.length > 0 && { nodes }),
});
const inline = (type: string, data: unknown) => paragraph({ object: "inline", type, data });
const messagesOf = ({ error }: { error?: z.ZodError }) =>
  error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
const issuesOf = (value: unknown) => messagesOf(jsonDocument.safeParse(value));
const issuesOfLarge = async (value: unknown) => messagesOf(await jsonDocument.safeParseAsync(value));

test("a document of valid nodes is accepted with everything it contains", () => {
  const value = document(
    { object: "block", type: "hint", data: { style: "info", other: 1 }, nodes: [paragraph(words("a"))] },
    paragraph(words("b", [{ object: "mark", type: "bold" }])),
  );
  expect(jsonDocument.parse(value)).toEqual(value);
});

test("what is no block at all hides no other problem", () => {
  const value = document("words", block("blink"), { object: "inline", type: "link" }, paragraph(words(1)));
  expect(issuesOf(value)).toEqual([
    "nodes.0: must be a node",
    "nodes.1: there is no block blink",
    "nodes.2: object must be block",
    "nodes.3.nodes.0.leaves.0.text: must be a text",
  ]);
});

const table = (data: object) =>
  block("table", { view: { type: "grid", columns: [] }, definition: {}, records: {}, ...data });

test.each([
  [block("blink"), "nodes.0: there is no block blink"],
  [block("list-item"), "nodes.0: list-item can not stand at the top"],
  [block("blockquote", {}, block("column")), "nodes.0.nodes.0: column can not stand in blockquote"],
  [block("list-tasks", {}, paragraph()), "nodes.0.nodes.0: list-tasks can only hold list-item"],
  [block("tabs", {}, block("stepper-step")), "nodes.0.nodes.0: tabs can only hold tabs-item"],
  [
    { ...block("expandable"), fragments: [{ object: "fragment", nodes: [block("image")] }] },
    "nodes.0.fragments.0.nodes.0: image can not stand in a fragment",
  ],
  [
    { ...block("expandable"), fragments: [{ object: "fragment" }] },
    "nodes.0.fragments.0.nodes: must be a list",
  ],
  [paragraph(words(1)), "nodes.0.nodes.0.leaves.0.text: must be a text"],
  [paragraph({ object: "text" }), "nodes.0.nodes.0.leaves: must be a list"],
  [paragraph(words("a", "bold")), "nodes.0.nodes.0.leaves.0.marks: must be a list of marks"],
  [paragraph(words("a", [{ type: "blink" }])), "nodes.0.nodes.0.leaves.0.marks.0: there is no mark blink"],
  [
    paragraph(words("a", [{ type: "color", data: { text: "mauve", background: "default" } }])),
    "nodes.0.nodes.0.leaves.0.marks.0.data.text: must be default or green or",
  ],
  [paragraph(paragraph()), "nodes.0.nodes.0: object must be text or inline"],
  [paragraph("words"), "nodes.0.nodes.0: must be a node"],
  [inline("blink", {}), "nodes.0.nodes.0: there is no inline blink"],
  [{ ...paragraph(), data: [] }, "nodes.0.data: must be an object"],
  [{ ...paragraph(), nodes: {} }, "nodes.0.nodes: must be a list"],
  [block("hint", { style: "loud" }), "nodes.0.data.style: must be info or warning or danger or success"],
  [block("paragraph", { align: "left" }), "nodes.0.data.align: must be start or center or end"],
  [block("heading-1", { id: "No Anchor" }), "nodes.0.data.id: must be an anchor"],
  [block("list-ordered", { start: 1.5 }), "nodes.0.data.start: must be a whole number"],
  [block("if"), "nodes.0.data.expression: is missing"],
  [block("images", {}, block("image")), "nodes.0.nodes.0.data.ref: is missing"],
  [
    block("images", {}, block("image", { ref: { kind: "url", url: "a" }, width: [] })),
    "nodes.0.nodes.0.data.width: must be a number of pixels",
  ],
  [block("file", { ref: "a.pdf" }), "nodes.0.data.ref: must be a reference to content"],
  [block("file", { ref: { kind: "magic" } }), "nodes.0.data.ref: must be a reference of a kind: file, url"],
  [
    block("content-ref", { ref: { kind: "page" } }),
    "nodes.0.data.ref: must be a reference with a text in page",
  ],
  [
    block("reusable-content", { ref: { kind: "reusable-content", reusableContent: "r", space: 1 } }),
    "nodes.0.data.ref: must be a reference with a text in space",
  ],
  [block("embed", { url: 1 }), "nodes.0.data.url: must be a text"],
  [block("code", { lineNumbers: 1 }), "nodes.0.data.lineNumbers: must be true or false"],
  [
    block("integration", { integration: "a", block: "b", props: [] }),
    "nodes.0.data.props: must be an object",
  ],
  [
    block("openapi-schemas", { ref: { kind: "openapi", spec: "a" }, schemas: [1] }),
    "schemas: must be a list",
  ],
  [block("updates", {}, paragraph()), "nodes.0.nodes.0: updates can only hold update"],
  [block("update"), "nodes.0: update can not stand at the top"],
  [block("prompt", {}, paragraph()), "nodes.0.nodes.0: prompt can only hold code"],
  [
    block("updates", {}, block("update", { tags: [{ kind: "page", page: "p" }] })),
    "nodes.0.nodes.0.data.tags: must be a list of references to tags",
  ],
  [inline("link", {}), "nodes.0.nodes.0.data.ref: is missing"],
  [inline("emoji", { code: "house" }), "nodes.0.nodes.0.data.code: must be code points such as `1f3e0`"],
  [inline("icon", { icon: "A B" }), "nodes.0.nodes.0.data.icon: must be an icon name"],
  [
    inline("button", { label: "Go", kind: "loud" }),
    "nodes.0.nodes.0.data.kind: must be primary or secondary",
  ],
  [block("table"), "nodes.0.data.view: must be an object"],
  [table({ columnGroups: [{}] }), "nodes.0.data.columnGroups: must be a list of groups with columns"],
  [table({ view: { type: "tree" } }), "nodes.0.data.view.type: must be grid or cards"],
  [table({ definition: { a: null } }), "nodes.0.data.definition.a: must be an object"],
  [
    table({ definition: { a: { id: "a", title: "A", type: "date" } } }),
    "nodes.0.data.definition.a.type: must be text or number or",
  ],
  [
    table({ definition: { a: { id: "a", title: "A", type: "text", nodes: [1] } } }),
    "nodes.0.data.definition.a.nodes.0: must be a node",
  ],
  [table({ records: { r: { values: {} } } }), "nodes.0.data.records.r.orderIndex: is missing"],
  [block("code", { title: "a\0b" }), "nodes.0.data.title: must not hold NUL characters"],
  [
    block("integration", { integration: "a", block: "b", props: { x: ["\ud800"] } }),
    "nodes.0.data.props.x.0: must not hold NUL characters or halves",
  ],
])("%j is refused by its path", (value, issue) => {
  expect(issuesOf(document(value)).join("\n")).toContain(issue);
});

test("every problem is named, in the order of the document, up to 20", () => {
  const value = document(block("blink"), paragraph(words(1)), block("if"));
  expect(issuesOf(value)).toEqual([
    "nodes.0: there is no block blink",
    "nodes.1.nodes.0.leaves.0.text: must be a text",
    "nodes.2.data.expression: is missing",
  ]);
  expect(issuesOf(document(...Array.from({ length: 50 }, () => block("blink"))))).toHaveLength(20);
});

test("what is too much is refused, without an end to the stack", async () => {
  let node: unknown = paragraph(words("deep"));
  for (let depth = 0; depth < 10_000; depth += 1)
    node = { object: "block", type: "blockquote", nodes: [node] };
  expect((await issuesOfLarge(document(node)))[0]).toContain("nested more than 50 levels deep");
  let props: unknown = {};
  for (let depth = 0; depth < 10_000; depth += 1) props = { props };
  const deep = block("integration", { integration: "a", block: "b", props });
  expect(issuesOf(document(deep))).toEqual(["nodes.0.data: nested too deeply"]);
  expect(issuesOf(document(paragraph(words("x".repeat(2 * 1024 * 1024 + 1))))).join()).toContain(
    "characters",
  );
  const many = table({ records: Object.fromEntries(Array.from({ length: 200_001 }, (_, at) => [at, 1])) });
  expect((await issuesOfLarge(document(many))).join()).toContain("more than 200000 nodes");
});

test("a document of nothing but wrong nodes has a bounded number of issues", async () => {
  const given = { object: "document", data: {}, nodes: Array.from({ length: 240_000 }, () => ({})) };
  const { error } = await jsonDocument.safeParseAsync(given);
  expect(error?.issues).toHaveLength(20);
});

test("a large document is looked at in steps of a few hundred nodes", async () => {
  const large = Array.from({ length: 8_000 }, () => paragraph(words("a")));
  expect([...problemsIn(large)].length).toBeGreaterThan(40);
  expect(await jsonDocument.parseAsync(document(...large))).toMatchObject({ nodes: { length: 8_000 } });
  expect(() => jsonDocument.parse(document(...large))).toThrow("Async");
});
