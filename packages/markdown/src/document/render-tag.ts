import { joinedLines } from "../parser/blanks.js";
import { quoted, writeTag } from "../parser/tags.js";
import { MEMBER_OF, membersWithAsides } from "./asides.js";
import { destination, escapeText } from "./escape.js";
import { elementAround } from "./html-custom.js";
import { type Block, blocksOf, type Data, type Fragment, inlinesOf, plainText } from "./nodes.js";
import { addressOf } from "./refs.js";
import { renderInline } from "./render-inline.js";
import { TAG_OF, tagAttributes } from "./tag-data.js";
import type { BlockWriter } from "./writer.js";

/** Blocks that are written as tags. What no tag is known for is written as the blocks in it. */
export function renderTag(node: Block, writer: BlockWriter): string {
  const { type, data = {}, fragments = [] } = node;
  const to = (ref: unknown) => addressOf(ref, writer.address);
  const name = TAG_OF[type];
  if (name) {
    const write = data.html === "markdown" ? elementAround : around;
    return write(name, tagAttributes(type, data), body(node, type, writer));
  }
  switch (type) {
    case "if":
      return around(
        "if",
        {},
        writer.blocks(blocksOf(node)),
        String(data.expression ?? "")
          .replace(/\s+/g, " ")
          .trim(),
      );
    case "reusable-content":
      return `{% include ${quoted(to(data.ref))} %}`;
    case "integration":
      return integration(data);
    case "embed":
      return captioned("embed", data, fragments, writer);
    case "file": {
      const { ref, ...rest } = data;
      return captioned("file", { src: to(ref), ...rest }, fragments, writer);
    }
    case "content-ref": {
      const { ref, text, ...rest } = data;
      const url = to(ref);
      const words = escapeText(joinedLines(String(text ?? url)));
      return around("content-ref", { url, ...rest }, `[${words}](${destination(url)})`, "", "\n");
    }
    case "swagger": {
      const { ref, tag, body: words, ...rest } = data;
      return around(
        tag === "swagger" ? "swagger" : "openapi",
        { src: to(ref), ...rest },
        String(words ?? ""),
        "",
        "\n",
      );
    }
    case "openapi-operation":
    case "openapi-schemas":
    case "openapi-webhook": {
      const { ref, body: words, schemas, ...rest } = data;
      const spec = (ref as Data | undefined)?.spec ?? "";
      const list = Array.isArray(schemas) ? schemas.join(",") : undefined;
      return around(type, { spec, schemas: list, ...rest }, String(words ?? ""), "", "\n");
    }
    default:
      return unknown(node, writer);
  }
}

function unknown(node: Block, writer: BlockWriter): string {
  const inside = [...blocksOf(node), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)];
  if (inside.length > 0) return writer.blocks(inside);
  return renderInline(inlinesOf(node), writer) || plainText(node.nodes ?? []);
}

function body(node: Block, type: string, writer: BlockWriter): string {
  const member = MEMBER_OF[type];
  return writer.blocks(member ? membersWithAsides(node, member).map(asTag) : blocksOf(node));
}

/** Between tags and around markdown no member is an element of HTML. */
const asTag = (node: Block): Block =>
  node.data?.html === true ? { ...node, data: { ...node.data, html: undefined } } : node;

const around = (name: string, attrs: Data, inside: string, words = "", gap = "\n"): string =>
  [writeTag(name, attrs, words), inside, `{% end${name} %}`].filter((part) => part !== "").join(gap);

function captioned(name: string, attrs: Data, fragments: Fragment[], writer: BlockWriter): string {
  const words = fragments
    .flatMap(({ nodes }) => nodes)
    .map((node) => renderInline(inlinesOf(node), writer))
    .filter((part) => part !== "");
  return words.length === 0 ? writeTag(name, attrs) : around(name, attrs, words.join("\\\n"));
}

function integration({ integration: app, block, props, action: _, ...rest }: Data): string {
  const given = Object.entries((props ?? {}) as Data).map(([key, value]) =>
    typeof value === "string" ? [key, value] : [`${key}:json`, JSON.stringify(value)],
  );
  return writeTag(`@${app}/${block}`, { ...Object.fromEntries(given), ...rest });
}
