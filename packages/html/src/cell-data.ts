import type { Block, Data } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { isSet, listIn, numberIn, objectIn, refIn, textIn } from "./data.js";
import { type Column, type Row, several } from "./table-data.js";

/** What a cell of a table holds, whoever draws it. */
export type Cell =
  | { kind: "line"; nodes: Block["nodes"] }
  | { kind: "blocks"; nodes: Block[] }
  | { kind: "number"; text: string }
  | { kind: "checkbox"; done: boolean }
  | { kind: "rating"; count: number; most: number }
  | { kind: "select"; labels: string[] }
  | { kind: "users" | "files"; refs: Ref[] }
  | { kind: "content-ref" | "image"; ref: Ref | undefined };

/** Reads what stands in a cell; undefined for nothing, and for a column of a type that there is none of. */
export function readCell(row: Row, column: Column): Cell | undefined {
  const { values, record, parts } = row;
  const { id } = column;
  const value = Object.hasOwn(values, id) ? values[id] : undefined;
  const unread = textIn(objectIn(objectIn(record, "cells"), id), "fragment");
  if (unread !== undefined) return textOf(parts.get(unread));
  if (value === undefined || value === null) return undefined;
  return Object.hasOwn(KINDS, column.type) ? KINDS[column.type]!(row, column) : undefined;
}

/** The reference of an image in a cell, which may say how it fits besides what it is. */
export const imageIn = (values: Data, id: string): Ref | undefined =>
  refIn(values, id) ?? refIn(objectIn(values, id));

/** How the cells of a column are aligned where not as text is. */
export function alignmentOf({ type, definition }: Column): "center" | "end" | undefined {
  const align = textIn(definition, "textAlignment");
  if (align === "center") return "center";
  return align === "right" || type === "number" ? "end" : undefined;
}

/** A paragraph alone needs no element of its own. */
function textOf(nodes: Block[] = []): Cell {
  const [first, ...others] = nodes;
  return first?.type === "paragraph" && others.length === 0 && first.data?.align === undefined
    ? { kind: "line", nodes: first.nodes }
    : { kind: "blocks", nodes };
}

/** What columns of each type hold. */
const KINDS: Record<string, (row: Row, column: Column) => Cell | undefined> = {
  text: ({ values, parts }, { id }) => textOf(parts.get(textIn(values, id))),
  number: ({ values }, { id }) => {
    const text = numberIn(values, id)?.toString();
    return text === undefined ? undefined : { kind: "number", text };
  },
  checkbox: ({ values }, { id }) => ({ kind: "checkbox", done: isSet(values, id) }),
  rating: ({ values }, { id, definition }) => {
    const most = Math.min(10, Math.max(1, Math.round(numberIn(definition, "max") ?? 5)));
    const count = Math.min(most, Math.max(0, Math.round(numberIn(values, id) ?? 0)));
    return { kind: "rating", count, most };
  },
  select: ({ values }, { id, definition }) => {
    const options = listIn(definition, "options") as Data[];
    const labels = new Map(options.map((one) => [one?.value, textIn(one, "label")]));
    return { kind: "select", labels: several(values[id]).map((value) => labels.get(value) ?? value) };
  },
  users: ({ values }, { id }) => ({
    kind: "users",
    refs: several(values[id]).map((user) => ({ kind: "user", user })),
  }),
  files: ({ values }, { id }) => ({
    kind: "files",
    refs: several(values[id]).map((file) => ({ kind: "file", file })),
  }),
  "content-ref": ({ values }, { id }) => ({ kind: "content-ref", ref: refIn(values, id) }),
  image: ({ values }, { id }) => ({ kind: "image", ref: imageIn(values, id) }),
};
