import { z } from "../fields.js";

const DEEPEST = 50;
const MOST_NODES = 200_000;
const LONGEST = 2 * 1024 * 1024;

const BLOCKS = new Set(
  (
    "paragraph heading-1 heading-2 heading-3 list-ordered list-unordered list-tasks list-item divider blockquote hint " +
    "if images image file drawing embed code code-line math expandable tabs tabs-item table swagger " +
    "openapi-operation openapi-schemas openapi-webhook content-ref integration reusable-content stepper stepper-step " +
    "columns column"
  ).split(" "),
);
const INLINES = new Set(
  "link emoji icon expression inline-math inline-image annotation mention button".split(" "),
);
const MARKS = new Set("bold italic code keyboard strikethrough color superscript subscript".split(" "));
const INNER = new Set(["list-item", "image", "code-line", "tabs-item", "stepper-step", "column"]);

type Shape = Record<string, unknown>;
interface Place {
  value: unknown;
  path: PropertyKey[];
  depth: number;
  /** What may stand here. */
  objects: string[];
}

/** The first thing that is wrong with the nodes of a document; undefined when nothing is. Needs no stack of its own. */
function problemIn(nodes: unknown): { path: PropertyKey[]; message: string } | undefined {
  if (!Array.isArray(nodes)) return { path: ["nodes"], message: "must be a list of blocks" };
  const open: Place[] = nodes.map((value, index) => ({
    value,
    path: ["nodes", index],
    depth: 1,
    objects: ["top"],
  }));
  let length = 0;
  let count = 0;
  for (let place = open.pop(); place; place = open.pop()) {
    const message = problemOf(place);
    if (message) return { path: place.path, message };
    count += 1;
    const node = place.value as Shape;
    if (typeof node.text === "string") length += node.text.length;
    if (count > MOST_NODES) return { path: place.path, message: `more than ${MOST_NODES} nodes` };
    if (length > LONGEST) return { path: place.path, message: `more than ${LONGEST} characters` };
    for (const key of ["nodes", "leaves", "fragments"] as const) {
      const list = node[key];
      if (list === undefined) continue;
      if (!Array.isArray(list)) return { path: [...place.path, key], message: "must be a list" };
      const objects = key === "leaves" ? ["leaf"] : key === "fragments" ? ["fragment"] : within(node);
      for (const [index, value] of list.entries()) {
        open.push({ value, path: [...place.path, key, index], depth: place.depth + 1, objects });
      }
    }
  }
  return undefined;
}

const TEXTUAL = new Set(["paragraph", "heading-1", "heading-2", "heading-3", "code-line"]);
const within = ({ object, type }: Shape): string[] => {
  if (object === "inline" || TEXTUAL.has(String(type))) return ["text", "inline"];
  return object === "text" ? [] : ["block"];
};

function problemOf({ value, depth, objects }: Place): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be a node";
  const { object, type, data, text, marks } = value as Shape;
  if (depth > DEEPEST * 2) return `nested more than ${DEEPEST} levels deep`;
  const top = objects.includes("top");
  if (!objects.includes(String(object)) && !(top && object === "block")) {
    return `object must be ${top ? "block" : objects.join(" or ")}`;
  }
  if (data !== undefined && (typeof data !== "object" || data === null || Array.isArray(data))) {
    return "data must be an object";
  }
  if (object === "block" && !BLOCKS.has(String(type))) return `there is no block ${String(type)}`;
  if (top && INNER.has(String(type))) return `${String(type)} can not stand at the top`;
  if (object === "inline" && !INLINES.has(String(type))) return `there is no inline ${String(type)}`;
  if (object !== "leaf") return undefined;
  if (typeof text !== "string" || /[\0\p{Surrogate}]/u.test(text)) {
    return "text must be a text without NUL characters or halves of surrogate pairs";
  }
  const known =
    Array.isArray(marks) && marks.every((mark) => mark && MARKS.has(String((mark as Shape).type)));
  return known ? undefined : "marks must be a list of known marks";
}

/** A rich document as it is answered. */
export const JSONDocument = z
  .object({
    object: z.literal("document"),
    data: z.record(z.string(), z.unknown()),
    nodes: z.array(z.looseObject({ object: z.literal("block"), type: z.string() })),
  })
  .meta({ id: "JSONDocument" });

/** A rich document as it is sent: known blocks, inlines and marks, at most 50 levels and 2 MiB of text. */
export const jsonDocument = JSONDocument.superRefine(({ nodes }, check) => {
  const problem = problemIn(nodes);
  if (problem) check.addIssue({ code: "custom", ...problem });
});
