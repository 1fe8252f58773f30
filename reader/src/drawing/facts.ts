import { type OutlineEntry, outlineOf } from "@octavo/html/outline";
import { summaryOf } from "@octavo/html/text";
import { type Block, type JSONDocument, plainText } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { updatesIn } from "../formats/rss.js";

/** What has to be known of a document before it can be drawn, and what stands around it. */
export interface Facts {
  /** What it refers to, wherever its blocks and inlines do. */
  refs: Ref[];
  /** All its texts that may be the ids of pages and files. */
  names: string[];
  size: Size;
  /** Whether it shows something of APIs. */
  operations: boolean;
  /** Whether it has updates, which are a feed. */
  updates: boolean;
  outline: OutlineEntry[];
  summary: string;
}

/** How many blocks and other nodes there are, and characters of code and formulas. */
export interface Size {
  nodes: number;
  sources: number;
}

/** What ids look like, unlike most words of a text. */
const NAME = /^\S{1,127}$/;
/** Blocks that show something of an API. */
export const OF_APIS: ReadonlySet<string> = new Set([
  "openapi-operation",
  "swagger",
  "openapi-webhook",
  "openapi-schemas",
]);
/** What a formula costs, in characters of code. */
const FORMULA = 1_000;

/** Looks through a document once for all that is asked of it. */
export function factsOf(document: JSONDocument): Facts {
  const found = within(document.nodes);
  const updates = updatesIn(document, 1).length > 0;
  return { ...found, updates, outline: outlineOf(document), summary: summaryOf(document) };
}

/** The references, names and size of nodes, and whether something of APIs is among them. */
function within(nodes: unknown): Pick<Facts, "refs" | "names" | "size" | "operations"> {
  const refs: Ref[] = [];
  const names = new Set<string>();
  const size = { nodes: 0, sources: 0 };
  let operations = false;
  const open: unknown[] = [nodes];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      if (next.length < 128 && NAME.test(next)) names.add(next);
      continue;
    }
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) {
      for (const inner of next) open.push(inner ?? null);
      continue;
    }
    const { object, type, kind, formula } = next as Record<string, unknown>;
    if (object !== undefined) size.nodes += 1;
    if (typeof type === "string" && OF_APIS.has(type)) operations = true;
    if (type === "code-line") size.sources += 1 + plainText([next as Block]).length;
    if (typeof kind === "string") refs.push(next as Ref);
    if (typeof formula === "string") size.sources += FORMULA;
    for (const name in next) open.push((next as Record<string, unknown>)[name] ?? null);
  }
  return { refs, names: [...names], size, operations };
}

/** The references in a part of a document, or in something else that has them. */
export const refsIn = (part: object): Ref[] => within(part).refs;
