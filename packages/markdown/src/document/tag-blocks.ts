import { flag, type Tag } from "../parser/tags.js";
import {
  type Block,
  block,
  type Data,
  type Fragment,
  inlinesOf,
  isText,
  plainText,
  voidBlock,
} from "./nodes.js";
import { type Resolve, refOf } from "./refs.js";

/** The block of a tag that has no end: include, embed, file, content-ref, blocks of integrations. */
export function tagBlock({ name, attrs, source }: Tag, resolve?: Resolve): Block | undefined {
  if (name.startsWith("@")) return integration(name, attrs);
  if (name === "include") {
    const path = /^"((?:[^"\\]|\\.)*)"$/.exec(source)?.[1] ?? source;
    return voidBlock("reusable-content", { ref: refOf(path, resolve) });
  }
  return tagLeaf({ name, attrs, source, end: 0 }, "", [], resolve);
}

function integration(name: string, { url, fullWidth, ...props }: Data): Block {
  const [app = "", part = ""] = name.slice(1).split("/", 2);
  return voidBlock("integration", {
    integration: app,
    block: part,
    props: Object.fromEntries(Object.entries(props).map(([key, value]) => readProp(key, value))),
    ...(url !== undefined && { url }),
    ...(fullWidth !== undefined && { fullWidth: flag(fullWidth) }),
  });
}

/** `count:json="3"`: a property that is no text. */
function readProp(key: string, value: unknown): [string, unknown] {
  if (!key.endsWith(":json") || typeof value !== "string") return [key, value];
  try {
    return [key.slice(0, -5), JSON.parse(value)];
  } catch {
    return [key, value];
  }
}

const STYLES = new Set<unknown>(["info", "warning", "danger", "success"]);

/** hint, tabs, tab, stepper, step, columns, column, updates, update and if. Attributes the document does not name stay in `data`. */
export function tagContainer({ name, attrs, source }: Tag, nodes: Block[]): Block {
  const data = Object.fromEntries(Object.entries(attrs).map(([key, value]) => [key, flag(value)]));
  switch (name) {
    case "hint":
      return block("hint", { ...data, style: STYLES.has(data.style) ? data.style : "info" }, nodes);
    case "if":
      return block("if", { expression: source }, nodes);
    case "tabs":
      return block("tabs", data, nodes);
    case "tab":
      return block(
        "tabs-item",
        { ...data, ...(attrs.title !== undefined && { title: String(attrs.title) }) },
        nodes,
      );
    case "stepper":
      return block("stepper", data, nodes);
    case "step":
      return block("stepper-step", texts(data, "icon"), nodes);
    case "updates":
      return block("updates", texts(data, "format"), nodes);
    case "update":
      return block("update", updateData(data), nodes);
    case "columns":
      return { ...block("columns", data, nodes), isVoid: false };
    default:
      return block("column", columnData(data), nodes);
  }
}

/** Data whose named fields are texts, whatever they look like. */
export const texts = (data: Data, ...names: string[]): Data =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, names.includes(key) ? String(value) : value]),
  );

/** `tags="a,b"` are references to the space's tags. */
function updateData({ date, tags, ...data }: Data): Data {
  return {
    ...(date !== undefined && { date: String(date) }),
    ...(tags !== undefined && { tags: namesIn(String(tags)).map((tag) => ({ kind: "tag", tag })) }),
    ...data,
  };
}

const namesIn = (list: string): string[] =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

function columnData({ width, valign, ...data }: Data): Data {
  return {
    ...data,
    ...(width !== undefined && { width: lengthOf(String(width)) }),
    ...(valign !== undefined && { verticalAlignment: valign }),
  };
}

/** A number stands for pixels; other units are named, what is no length stays text. */
export function lengthOf(text: string): unknown {
  const match = /^(\d{1,9}(?:\.\d{1,15})?)(px|%)?$/.exec(text.trim());
  if (!match || String(Number(match[1])) !== match[1]) return text;
  return match[2] === "%" ? { unit: "%", value: Number(match[1]) } : Number(match[1]);
}

/** Returns a length as text: pixels as a number alone, others with their unit; undefined for none. */
export function lengthText(length: unknown): string | undefined {
  if (length === undefined || length === null) return undefined;
  if (typeof length === "number" || typeof length === "string") return String(length);
  const { unit, value } = length as { unit?: unknown; value?: unknown };
  return `${value ?? ""}${unit ?? ""}`;
}

/** A tag with a body of its own kind; undefined when the body is not of that kind. */
export function tagLeaf(
  { name, attrs, source }: Tag,
  body: string,
  inner: Block[],
  resolve?: Resolve,
): Block | undefined {
  if (source !== "" && Object.keys(attrs).length === 0) return undefined;
  if (name === "embed") return embed(attrs, inner);
  if (name === "file") return file(attrs, inner, resolve);
  if (name === "content-ref") return contentRef(attrs, body, inner, resolve);
  return openapi(name, attrs, body.trim(), resolve);
}

function caption(inner: Block[]): Fragment[] | undefined {
  const [first, ...others] = inner;
  if (others.length > 0 || (first && first.type !== "paragraph")) return undefined;
  return first ? [{ object: "fragment", fragment: "caption", nodes: [first] }] : [];
}

function embed({ url, fullWidth, ...rest }: Data, inner: Block[]): Block | undefined {
  const fragments = caption(inner);
  if (!fragments || typeof url !== "string") return undefined;
  const data = { url, ...(fullWidth !== undefined && { fullWidth: flag(fullWidth) }), ...rest };
  return voidBlock("embed", data, fragments.length > 0 ? fragments : undefined);
}

function file({ src, ...rest }: Data, inner: Block[], resolve?: Resolve): Block | undefined {
  const fragments = caption(inner);
  if (!fragments || typeof src !== "string") return undefined;
  return voidBlock(
    "file",
    { ref: refOf(src, resolve), ...rest },
    fragments.length > 0 ? fragments : undefined,
  );
}

/** The words of the link inside are kept as `data.text` when they are not the address. */
function contentRef(
  { url, ...rest }: Data,
  body: string,
  inner: Block[],
  resolve?: Resolve,
): Block | undefined {
  if (typeof url !== "string") return undefined;
  const ref = refOf(url, resolve);
  if (body.trim() === "") return voidBlock("content-ref", { ref, ...rest });
  const nodes = inner.length === 1 && inner[0]!.type === "paragraph" ? inlinesOf(inner[0]!) : [];
  const link = nodes.length === 1 ? nodes[0]! : undefined;
  if (!link || isText(link) || link.type !== "link" || link.data?.title !== undefined) return undefined;
  const plain = (link.nodes ?? []).every(
    (node) => isText(node) && node.leaves.every(({ marks }) => marks.length === 0),
  );
  if (!plain || JSON.stringify(link.data?.ref) !== JSON.stringify(ref)) return undefined;
  const text = plainText(link.nodes ?? []);
  return voidBlock("content-ref", { ref, ...(text !== url && { text }), ...rest });
}

/** `data.body` keeps the words between the tags: a link for readers of the markdown. */
function openapi(name: string, attrs: Data, body: string, resolve?: Resolve): Block | undefined {
  const kept = body === "" ? {} : { body };
  if (name === "openapi" || name === "swagger") {
    const { src, expanded, fullWidth, ...rest } = attrs;
    if (typeof src !== "string" || /\{%/.test(body)) return undefined;
    return voidBlock("swagger", {
      ref: refOf(src, resolve),
      ...rest,
      ...(expanded !== undefined && { expanded: flag(expanded) }),
      ...(fullWidth !== undefined && { fullWidth: flag(fullWidth) }),
      ...(name === "swagger" && { tag: "swagger" }),
      ...kept,
    });
  }
  const { spec, schemas, grouped, ...rest } = attrs;
  if (typeof spec !== "string" || /\{%/.test(body)) return undefined;
  return voidBlock(name, {
    ref: { kind: "openapi", spec },
    ...(schemas !== undefined && { schemas: String(schemas).split(",") }),
    ...(grouped !== undefined && { grouped: flag(grouped) }),
    ...rest,
    ...kept,
  });
}
