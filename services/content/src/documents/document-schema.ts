import type { JSONDocument as Definition } from "@octavo/markdown/document/nodes";
import { BLOCK_TYPES, INLINE_TYPES, MARK_TYPES } from "@octavo/markdown/document/types";
import { isLarge } from "@octavo/shared/rest/json-pieces";
import { atOnce, inTurns } from "@octavo/shared/workers/yield";
import { z } from "zod";
import { isShape, type Problem, problemsInData } from "./document-data.js";

// The markdown package defines documents, reads and writes them, and is independent of HTTP. These schemas have its
// types, and lie in the one service that takes and returns documents: so markdown and shared need not know each other.

const DEEPEST = 50;
const MOST_NODES = 200_000;
const LONGEST = 2 * 1024 * 1024;
/** More problems than these are not looked for. */
const MOST_PROBLEMS = 20;

const BLOCKS = new Set<string>(BLOCK_TYPES);
const INLINES = new Set<string>(INLINE_TYPES);
const MARKS = new Set<string>(MARK_TYPES);
/** Blocks that hold only blocks of one type, which stand nowhere else. */
const MEMBERS: Record<string, string> = {
  "list-ordered": "list-item",
  "list-unordered": "list-item",
  "list-tasks": "list-item",
  images: "image",
  code: "code-line",
  tabs: "tabs-item",
  stepper: "stepper-step",
  columns: "column",
  updates: "update",
};
/** The same for blocks that also stand elsewhere. */
const ONLY: Record<string, string> = { prompt: "code" };
const INNER = new Set(Object.values(MEMBERS));
const TEXTUAL = new Set(["paragraph", "heading-1", "heading-2", "heading-3", "code-line"]);

type Shape = Record<string, unknown>;
interface NodeContext {
  value: unknown;
  path: PropertyKey[];
  depth: number;
  /** What may stand here. */
  objects: string[];
  /** The type of the block around it. */
  parent?: string;
}

/** Values of a document that is looked at in one go. */
const AT_ONCE = 20_000;
/** Nodes that are looked at in one step. */
const STEP = 500;

/** What is wrong with the nodes of a document, in their order and in steps. Needs no stack of its own. */
export function* problemsIn(nodes: unknown[]): Generator<void, Problem[]> {
  const problems: Problem[] = [];
  const open: NodeContext[] = [];
  const put = (places: NodeContext[]) => {
    for (const place of places.reverse()) open.push(place);
  };
  put(placesOf(nodes, ["nodes"], 1, ["block"]));
  const size = { length: 0, count: 0 };
  let seen = 0;
  for (let place = open.pop(); place && problems.length < MOST_PROBLEMS; place = open.pop()) {
    seen += 1;
    if (seen % STEP === 0) yield;
    const message = placeProblem(place);
    if (message) {
      problems.push({ path: place.path, message });
      continue;
    }
    const node = place.value as Shape;
    const { path } = place;
    const unstorable = valueProblems(node, size);
    const tooMuch = size.count > MOST_NODES ? `${MOST_NODES} nodes` : `${LONGEST} characters`;
    if (size.count > MOST_NODES || size.length > LONGEST)
      return [...problems, { path, message: `more than ${tooMuch}` }];
    for (const problem of [...nodeProblems(node), ...unstorable])
      problems.push({ path: [...path, ...problem.path], message: problem.message });
    put(childrenOf(node, place));
  }
  return problems.slice(0, MOST_PROBLEMS);
}

const placesOf = (
  list: unknown[],
  path: PropertyKey[],
  depth: number,
  objects: string[],
  parent?: string,
): NodeContext[] => list.map((value, index) => ({ value, path: [...path, index], depth, objects, parent }));

/** The nodes in a node; the title of a table's column holds some too. */
function childrenOf(node: Shape, { path, depth }: NodeContext): NodeContext[] {
  const { object, type } = node;
  const inline = object === "inline" || TEXTUAL.has(String(type));
  const parent = object === "block" ? String(type) : undefined;
  const children = LISTS.flatMap((key) => {
    const objects = { leaves: ["leaf"], fragments: ["fragment"], nodes: inline ? LINE : ["block"] }[key];
    const list = node[key];
    return Array.isArray(list) ? placesOf(list, [...path, key], depth + 1, objects, parent) : [];
  });
  const columns = type === "table" && isShape(node.data) ? node.data.definition : undefined;
  const titles = Object.entries(isShape(columns) ? columns : {}).flatMap(([id, column]) => {
    const nodes = isShape(column) ? column.nodes : undefined;
    return Array.isArray(nodes)
      ? placesOf(nodes, [...path, "data", "definition", id, "nodes"], depth + 1, LINE)
      : [];
  });
  return [...children, ...titles];
}

const LISTS = ["nodes", "leaves", "fragments"] as const;
const LINE = ["text", "inline"];

/** Why a place is not checked any further. */
function placeProblem({ value, depth, objects, parent }: NodeContext): string | undefined {
  if (!isShape(value)) return "must be a node";
  const { object, type } = value;
  if (depth > DEEPEST * 2) return `nested more than ${DEEPEST} levels deep`;
  if (!objects.includes(String(object))) return `object must be ${objects.join(" or ")}`;
  if (object === "inline" && !INLINES.has(String(type))) return `there is no inline ${String(type)}`;
  if (object !== "block") return undefined;
  if (!BLOCKS.has(String(type))) return `there is no block ${String(type)}`;
  const member = MEMBERS[parent ?? ""];
  const only = member ?? ONLY[parent ?? ""];
  if (only && type !== only) return `${parent} can only hold ${only}`;
  if (member || !INNER.has(String(type))) return undefined;
  return `${String(type)} can not stand ${depth === 1 ? "at the top" : `in ${parent ?? "a fragment"}`}`;
}

/** What is wrong with a node's own fields. */
function nodeProblems(node: Shape): Problem[] {
  const { object, type, data, text, marks } = node;
  const problems: Problem[] = LISTS.flatMap((key) => {
    const list = node[key];
    const needed = (object === "text" && key === "leaves") || (object === "fragment" && key === "nodes");
    if (Array.isArray(list) || (list === undefined && !needed)) return [];
    return [{ path: [key], message: "must be a list" }];
  });
  if (object === "block" || object === "inline")
    return [...problems, ...under("data", problemsInData(`${type}`, data))];
  if (object !== "leaf") return problems;
  if (typeof text !== "string") problems.push({ path: ["text"], message: "must be a text" });
  if (!Array.isArray(marks)) return [...problems, { path: ["marks"], message: "must be a list of marks" }];
  return [...problems, ...marks.flatMap((mark, index) => under("marks", markProblems(mark, index)))];
}

const under = (name: string, problems: Problem[]): Problem[] =>
  problems.map(({ path, message }) => ({ path: [name, ...path], message }));

function markProblems(mark: unknown, index: number): Problem[] {
  const type = isShape(mark) ? String(mark.type) : "";
  if (!MARKS.has(type)) return [{ path: [index], message: `there is no mark ${type}`.trim() }];
  return problemsInData(type, (mark as Shape).data).map(({ path, message }) => ({
    path: [index, "data", ...path],
    message,
  }));
}

/** Texts that can not be stored, at any depth of `data` and of marks; counts what there is. */
function valueProblems({ data, marks, text }: Shape, size: { length: number; count: number }): Problem[] {
  size.count += 1;
  const problems: Problem[] = [];
  const open: { value: unknown; path: PropertyKey[] }[] = [
    { value: text, path: ["text"] },
    { value: data, path: ["data"] },
    { value: marks, path: ["marks"] },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === "string") {
      size.length += value.length;
      if (/[\0\p{Surrogate}]/u.test(value))
        problems.push({ path, message: "must not hold NUL characters or halves of surrogate pairs" });
    } else if (typeof value === "object" && value !== null) {
      if (path.length > DEEPEST)
        return [...problems, { path: path.slice(0, 1), message: "nested too deeply" }];
      const entries = Object.entries(value);
      size.count += entries.length;
      if (size.count > MOST_NODES) return problems;
      for (const [key, inner] of entries)
        open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return problems;
}

const Whole = z
  .object({
    object: z.literal("document"),
    data: z.record(z.string(), z.unknown()),
    nodes: z.array(z.looseObject({ object: z.literal("block"), type: z.string() })),
  })
  .meta({ id: "JSONDocument" });

const Head = Whole.omit({ nodes: true });

/** A rich document as it is returned. */
export const JSONDocument = Whole as z.ZodType<Definition>;

/**
 * A rich document as it is sent: known blocks, inlines and marks where they may stand, with the data they need, at most
 * 50 levels and 2 MiB of text. What is wrong is named by its path, the first 20 of it: nodes are looked at here, for a list
 * of a hundred thousand that are none would be twice as many issues of its schema. A large one is looked at in turns, so
 * it can only be parsed asynchronously.
 */
export const jsonDocument = z.preprocess((value, check) => {
  const nodes = isShape(value) ? value.nodes : undefined;
  const addIssues = (problems: Problem[]) => {
    for (const problem of problems) check.addIssue({ code: "custom", ...problem });
    if (problems.length > 0)
      for (const { path, message } of Head.safeParse(value).error?.issues ?? [])
        check.addIssue({ code: "custom", path, message });
    return value;
  };
  if (!Array.isArray(nodes)) return value;
  return isLarge(nodes, AT_ONCE)
    ? inTurns(problemsIn(nodes)).then(addIssues)
    : addIssues(atOnce(problemsIn(nodes)));
}, JSONDocument);
