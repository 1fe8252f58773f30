import {
  type Block,
  block,
  type Data,
  type Fragment,
  type Inline,
  type InlineNode,
  inline,
  type JSONDocument,
  leaf,
  mark,
  paragraph,
  textNode,
  voidBlock,
} from "@octavo/markdown/document/nodes";
import { MARK_TYPES } from "@octavo/markdown/document/types";

/**
 * A document with every block, inline and mark, in which each text, title, address, icon, color, language and name is the
 * same text, and with it the ids and keys that others have given.
 */
export function everything(text: string): JSONDocument {
  const url = { kind: "url", url: text };
  const file = { kind: "file", file: text };
  const line = (): InlineNode[] => [
    textNode(MARK_TYPES.map((type) => leaf(text, [mark(type, { text, background: text, verbatim: false })]))),
    textNode([
      leaf(text, [mark("code", { verbatim: true })]),
      leaf(text, [mark("color", { text: "$primary", background: "red" })]),
    ]),
    inline("link", { ref: url }, { nodes: [textNode([leaf(text)])] }),
    inline("link", { ref: { kind: "page", page: text } }, { nodes: [] }),
    inline("link", { ref: { kind: "anchor", anchor: text } }, { nodes: [textNode([leaf("a")])] }),
    inline("emoji", { code: text }),
    inline("emoji", { code: "1f3e0" }),
    inline("icon", { icon: text }),
    inline("icon", { icon: "github" }),
    inline("expression", { expression: text }),
    inline("inline-math", { formula: text }),
    inline("inline-math", { formula: `\\text{${text}} + \\color{${text}} x` }),
    inline("inline-image", { ref: url, refDark: file, alt: text, caption: text, size: text }),
    inline("mention", { ref: { kind: "user", user: text } }),
    inline("button", { label: text, kind: text, icon: text, ref: url }),
    inline("button", {
      label: text,
      kind: "primary",
      icon: "rocket",
      ref: { kind: "url", url: "https://a.example/" },
    }),
    annotation(text),
  ];
  const fragment = (name: string, nodes: Block[]): Fragment => ({
    object: "fragment",
    fragment: name,
    type: name,
    nodes,
  });
  const one = () => [paragraph(line())];
  const api = { ref: url, path: text, method: text, name: text, schemas: [text] };
  const code = (data: Data) =>
    block("code", data, [
      block("code-line", { highlighted: true }, [textNode([leaf(text)])]),
      block("code-line", {}, [textNode([leaf(text)])]),
    ]);
  const nodes: Block[] = [
    paragraph(line(), { align: text }),
    ...["heading-1", "heading-2", "heading-3"].map((type) => ({
      ...block(type, { id: text, level: 5 }, line()),
      meta: { id: text },
    })),
    ...["list-ordered", "list-unordered", "list-tasks"].map((type) =>
      block(type, { start: text }, [
        block("list-item", { checked: type === "list-tasks" ? true : text }, one()),
      ]),
    ),
    voidBlock("divider", {}),
    block("blockquote", {}, one()),
    block("hint", { style: text, icon: text }, one()),
    block("if", { expression: text }, one()),
    block("images", { align: text, fullWidth: text, withFrame: text }, [
      voidBlock("image", { ref: url, refDark: url, alt: text, width: text, height: text }, [
        fragment("caption", one()),
      ]),
      voidBlock("image", { ref: file, width: { unit: "%", value: 50 } }, []),
    ]),
    voidBlock("file", { ref: file }, [fragment("caption", one())]),
    voidBlock("drawing", { ref: url, alt: text, width: text }),
    voidBlock("embed", { url: text }),
    voidBlock("embed", { url: `https://youtube.com/watch?v=abcdefghijk&${text}` }, [
      fragment("caption", one()),
    ]),
    code({ syntax: text, title: text, overflow: text, lineNumbers: text }),
    code({ syntax: "html", title: text, lineNumbers: true }),
    code({ syntax: "mermaid" }),
    code({ syntax: "markdown", verbatim: true }),
    code({ verbatim: true, hidden: true }),
    block("code", {}, [block("code-line", {}, line())]),
    voidBlock("math", { formula: text }),
    voidBlock("math", { formula: `\\text{${text}}` }),
    {
      ...voidBlock("expandable", {}, [
        fragment("expandable-title", one()),
        fragment("expandable-body", one()),
      ]),
      meta: { id: text },
    },
    block("tabs", {}, [
      { ...block("tabs-item", { title: text, icon: text }, one()), meta: { id: text } },
      block("tabs-item", {}, one()),
    ]),
    tableOf(text, "grid"),
    tableOf(text, "cards"),
    ...["swagger", "openapi-operation", "openapi-schemas", "openapi-webhook"].map((type) =>
      voidBlock(type, api),
    ),
    voidBlock("content-ref", { ref: url, text }),
    voidBlock("content-ref", { ref: { kind: "page", page: text } }),
    voidBlock("integration", { integration: text, block: text, props: { content: text }, url: text }),
    voidBlock("integration", { integration: "mermaid", block: text, props: { content: text } }),
    voidBlock("reusable-content", { ref: { kind: "reusable-content", reusableContent: text } }),
    block("stepper", {}, [
      block("stepper-step", { icon: text }, one()),
      block("stepper-step", { icon: "rocket" }, one()),
    ]),
    block("columns", {}, [
      block("column", { width: text, verticalAlignment: text }, one()),
      block("column", { width: { unit: text, value: 50 } }, one()),
      block("column", { width: { unit: "%", value: 50 }, verticalAlignment: "middle" }, one()),
    ]),
    block("updates", { format: text }, [
      block("update", { date: text, tags: [{ kind: "tag", tag: text }] }, one()),
    ]),
    block("prompt", { description: text, icon: text, openInAIProviders: true }, [code({ title: text })]),
  ];
  return { object: "document", data: {}, nodes };
}

const annotation = (text: string): Inline => ({
  object: "inline",
  type: "annotation",
  data: {},
  nodes: [textNode([leaf(text)])],
  fragments: [{ object: "fragment", type: "annotation-body", nodes: [paragraph([textNode([leaf(text)])])] }],
});

/** A table with a column of each type. */
function tableOf(text: string, type: "grid" | "cards"): Block {
  const types = "text number checkbox files users rating select content-ref image".split(" ");
  const definition = Object.fromEntries(
    [...types, text].map((kind) => [
      kind,
      {
        id: kind,
        title: text,
        type: kind,
        max: text,
        textAlignment: text,
        options: [{ value: text, label: text, color: text }],
      },
    ]),
  );
  const values: Data = {
    ...Object.fromEntries([...types, text].map((kind) => [kind, text])),
    text: "cell",
    number: 3,
    checkbox: true,
    rating: 4,
    files: [text],
    "content-ref": { kind: "url", url: text },
    image: { ref: { kind: "url", url: text }, objectFit: text },
  };
  const view = {
    type,
    columns: [...types, text],
    columnWidths: { text, number: 100 },
    cardSize: text,
    targetDefinition: "content-ref",
    coverDefinition: "image",
    hideColumnTitle: false,
  };
  const records = { r1: { orderIndex: text, values, cells: { users: { fragment: "cell" } } } };
  return voidBlock("table", { view, definition, records }, [
    { object: "fragment", fragment: "cell", nodes: [paragraph([textNode([leaf(text)])])] },
  ]);
}
