import { many, pick, type Random } from "../testing/random.js";
import { joinLeaves, MARK_ORDER } from "./marks.js";
import {
  type Block,
  block,
  codeLines,
  type Data,
  type Fragment,
  type InlineNode,
  inline,
  isText,
  type JSONDocument,
  type Leaf,
  leaf,
  type Mark,
  mark,
  paragraph,
  textNode,
  voidBlock,
} from "./nodes.js";
import { type Cell, columnId, type Definition, tableBlock, textColumn } from "./table-block.js";

const WORDS = [
  ..."abz09 ._-*`~<>[](){}!|\\&#:;=+\"'$^@%/?,é漢。🚀\u00a0",
  "word",
  "two words",
  "snake_case",
  " 1. ",
  "- ",
  "# ",
  ":house:",
  "https://a.example/b_c",
  "&amp;",
  "<b>",
  "</p>",
  "{% hint %}",
  "{{ x }}",
  "[^1]",
  "![",
  "$$",
  "~~",
  "**",
  "|",
  "---",
  "===",
];
const words = (random: Random): string => {
  const text = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, WORDS)).join("");
  return text;
};

const colors = ["default", "red", "$primary"];
function marks(random: Random): Mark[] {
  if (random() < 0.5) return [];
  return MARK_ORDER.filter(() => random() < 0.2).map((type) => {
    if (type !== "color") return mark(type);
    const [text, background] = [pick(random, colors), pick(random, colors)];
    return mark("color", { text, background });
  });
}
function leaves(random: Random, lines: boolean): Leaf[] {
  const list = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const found = marks(random);
    const code = found.some(({ type }) => type === "code");
    const text = words(random) + (lines && !code && random() < 0.1 ? "\nnext" : "");
    return leaf(text, found);
  });
  return joinLeaves(list);
}

export const ref = (random: Random): Data =>
  pick<() => Data>(random, [
    () => ({
      kind: "url",
      url: pick(random, [
        "https://example.com/a?b=1&c",
        "page.md",
        "my page.md",
        "a(b).md",
        "mailto:a@b.example",
      ]),
    }),
    () => ({ kind: "page", page: "p1" }),
    () => ({ kind: "page", page: "p1", space: "s1" }),
    () => ({ kind: "anchor", anchor: "top" }),
    () => ({ kind: "anchor", anchor: "top", page: "p2" }),
    () => ({ kind: "file", file: "f 1" }),
    () => ({ kind: "space", space: "s2" }),
    () => ({ kind: "user", user: "u1" }),
    () => ({ kind: "collection", collection: "c1" }),
  ])();
const image = (random: Random): Data =>
  pick(random, [
    { kind: "url", url: ".gitbook/assets/a b.png" },
    { kind: "file", file: "f2" },
  ]);

function inlineNode(random: Random): InlineNode {
  const one = Math.floor(random() * 11);
  if (one <= 1) return inline("link", { ref: ref(random) }, { nodes: [textNode(leaves(random, false))] });
  if (one === 2) return inline("emoji", { code: pick(random, ["1f3e0", "2705", "1fae9"]) });
  if (one === 3) return inline("icon", { icon: "github" });
  if (one === 4)
    return inline("expression", { expression: pick(random, ["space.vars.x", "a < b && c['*']"]) });
  if (one === 5)
    return inline("inline-math", { formula: pick(random, ["x^2", "a_1 * b < c", " \\frac{1}{2}", "\\$5$"]) });
  if (one === 6)
    return inline("inline-image", {
      ref: image(random),
      ...(random() < 0.5 && { alt: "A & b" }),
      ...(random() < 0.5 && { size: "line" }),
    });
  if (one === 7) return inline("inline-image", { ref: image(random), refDark: image(random) });
  if (one === 8) return inline("mention", { ref: ref(random) });
  if (one === 9)
    return inline("button", { label: "Go & see", kind: "primary", icon: "rocket", ref: ref(random) });
  return {
    object: "inline",
    type: "annotation",
    data: {},
    nodes: [textNode(leaves(random, false))],
    fragments: [
      { object: "fragment", type: "annotation-body", nodes: [paragraph([textNode([leaf(words(random))])])] },
    ],
    isVoid: false,
  };
}

export function line(random: Random, { lines = true } = {}): InlineNode[] {
  const nodes = many(random, 2, () =>
    random() < 0.7 ? textNode(leaves(random, lines)) : inlineNode(random),
  );
  const list = nodes.filter(
    (node, index) => !isText(node) || !nodes[index - 1] || !isText(nodes[index - 1]!),
  );
  return list.length > 0 ? list : [textNode([leaf("text")])];
}

const code = (random: Random): Block => {
  const data = {
    ...(random() < 0.7 && { syntax: pick(random, ["js", "c++", "markdown"]) }),
    ...(random() < 0.3 && { title: 'a "b" %}' }),
    ...(random() < 0.2 && { lineNumbers: true }),
    ...(random() < 0.2 && { overflow: "wrap" }),
  };
  const lines = codeLines(pick(random, ["a();\n\nb();", "```\nx\n```", "", "\n", "{% hint %}\n<b>&amp;"]));
  if (random() < 0.2) lines.push(block("code-line", { highlighted: true }, [textNode([leaf("hot <b>")])]));
  return block("code", data, lines);
};

const caption = (random: Random): Fragment => ({
  object: "fragment",
  fragment: "caption",
  nodes: [paragraph(line(random, { lines: false }))],
});
const picture = (random: Random): Block =>
  voidBlock(
    "image",
    {
      ref: image(random),
      ...(random() < 0.3 && { refDark: image(random) }),
      ...(random() < 0.3 && { width: 300 }),
      ...(random() < 0.3 && { alt: 'x "y"' }),
    },
    random() < 0.5 ? [caption(random)] : [],
  );

function table(random: Random): Block {
  const plain = random() < 0.5;
  const columns: Definition[] = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => {
    const title = pick(random, ["Name", "a | b", "x*y", ""]);
    if (plain || index === 0)
      return textColumn(index, title, random() < 0.3 ? { textAlignment: "center" } : {});
    return pick<() => Definition>(random, [
      () => ({ id: columnId(index), title, type: "number" }),
      () => ({ id: columnId(index), title, type: "checkbox" }),
      () => ({ id: columnId(index), title, type: "rating", max: 5 }),
      () => ({ id: columnId(index), title, type: "content-ref" }),
      () => ({
        id: columnId(index),
        title,
        type: "select",
        multiple: true,
        options: [{ value: "v1", label: "One & two", color: "red" }],
      }),
      () => ({ id: columnId(index), title, type: "files" }),
      () => ({ id: columnId(index), title, type: "image" }),
    ])();
  });
  const cell = ({ type }: Definition): Cell => {
    if (type === "number" || type === "rating") return { value: 3 };
    if (type === "checkbox") return { value: random() < 0.5 };
    if (type === "content-ref") return { value: ref(random) };
    if (type === "select") return { value: ["v1"] };
    if (type === "files") return { value: ["f1", "f2"] };
    if (type === "image")
      return { value: random() < 0.5 ? image(random) : { ref: image(random), objectFit: "cover" } };
    if (random() < 0.2) return { blocks: [] };
    if (plain) return { blocks: [paragraph(line(random))] };
    return {
      blocks: many(random, 2, () =>
        pick(random, [() => paragraph(line(random)), () => list(random, 1), () => code(random)])(),
      ),
    };
  };
  const rows = many(random, 3, () => ({ cells: columns.map(cell) }));
  const ids = columns.map(({ id }) => id);
  const view =
    random() < 0.3 && !plain
      ? { type: "cards", cardSize: "large", columns: ids.slice(0, 1) }
      : { type: "grid", columns: ids, hideHeader: !plain && random() < 0.5 };
  return tableBlock(columns, rows, view, plain ? {} : { fullWidth: true });
}

function list(random: Random, depth: number): Block {
  const type = pick(random, ["list-ordered", "list-unordered", "list-tasks"]);
  const items = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const inner = random() < 0.4 ? blocks(random, depth + 1, 2) : [];
    const first = inner.length > 0 && random() < 0.2 ? [] : [paragraph(line(random))];
    return block("list-item", type === "list-tasks" ? { checked: random() < 0.5 } : {}, [...first, ...inner]);
  });
  return block(type, type === "list-ordered" && random() < 0.3 ? { start: 7 } : {}, items);
}

const fragment = (name: string, nodes: Block[]): Fragment => ({
  object: "fragment",
  fragment: name,
  type: name,
  nodes,
});

function randomBlock(random: Random, depth: number): Block {
  const simple: (() => Block)[] = [
    () => paragraph(line(random)),
    () => paragraph(line(random)),
    () => paragraph(line(random), { align: "center" }),
    () =>
      block(
        pick(random, ["heading-1", "heading-2", "heading-3"]),
        random() < 0.3 ? { id: "an-id" } : {},
        line(random),
      ),
    () => voidBlock("divider", {}),
    () => code(random),
    () => voidBlock("math", { formula: "x^2\n\ny" }),
    () => ({
      ...block("images", random() < 0.4 ? { align: "left" } : {}, [
        picture(random),
        ...many(random, 1, () => picture(random)),
      ]),
      isVoid: false,
    }),
    () => voidBlock("embed", { url: "https://example.com/v?x=1" }),
    () => voidBlock("file", { ref: image(random) }),
    () => voidBlock("drawing", { ref: { kind: "url", url: "x.drawing.svg" } }),
    () => voidBlock("content-ref", { ref: ref(random) }),
    () => voidBlock("reusable-content", { ref: { kind: "reusable-content", reusableContent: "r1" } }),
    () =>
      voidBlock("integration", {
        integration: "mermaid",
        block: "diagram",
        props: { content: 'a\n"b" %}', count: 3, on: true, list: [1] },
      }),
    () =>
      voidBlock("swagger", {
        ref: { kind: "url", url: "api.json" },
        path: "/x",
        method: "get",
        expanded: true,
      }),
    () =>
      voidBlock("openapi-operation", { ref: { kind: "openapi", spec: "api" }, path: "/x", method: "get" }),
    () =>
      voidBlock("openapi-schemas", {
        ref: { kind: "openapi", spec: "api" },
        schemas: ["A", "B"],
        grouped: true,
      }),
    () => voidBlock("openapi-webhook", { ref: { kind: "openapi", spec: "api" }, name: "n", method: "post" }),
    () => table(random),
    () => list(random, depth),
  ];
  const inner = () => blocks(random, depth + 1, 2);
  const nested: (() => Block)[] = [
    () => block("blockquote", {}, inner()),
    () => block("hint", { style: pick(random, ["info", "danger"]) }, inner()),
    () => block("if", { expression: 'visitor.claims.x == "a" && y > 1' }, inner()),
    () =>
      block("tabs", {}, [
        block("tabs-item", { title: "One" }, inner()),
        block("tabs-item", { title: 'T "2"' }, inner()),
      ]),
    () =>
      block("updates", { format: "full" }, [
        block("update", { date: "2026-02-01", tags: [{ kind: "tag", tag: "beta" }] }, inner()),
        block("update", { date: "2026-01-01" }, inner()),
      ]),
    () => block("prompt", { description: 'a "b"', openInAIProviders: true }, [code(random)]),
    () => block("stepper", {}, [block("stepper-step", {}, inner())]),
    () => ({
      ...block("columns", {}, [
        block("column", { width: { unit: "%", value: 50 } }, inner()),
        block("column", { width: 200, verticalAlignment: "middle" }, inner()),
      ]),
      isVoid: false,
    }),
    () =>
      voidBlock("expandable", {}, [
        fragment("expandable-title", [paragraph(line(random))]),
        fragment("expandable-body", inner()),
      ]),
    () => list(random, depth),
  ];
  return pick(random, depth < 3 && random() < 0.4 ? nested : simple)();
}

const blocks = (random: Random, depth: number, most: number): Block[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => randomBlock(random, depth));

/** A document with every kind of block, inline and mark. */
export const randomDocument = (random: Random): JSONDocument => ({
  object: "document",
  data: { schemaVersion: 1 },
  nodes: blocks(random, 0, 4),
});
