import { isSet, listIn, numberIn, objectIn, refIn, textIn } from "@octavo/html/data";
import { type Column, type Row, readTable, several } from "@octavo/html/table-data";
import type { Block, Data } from "@octavo/markdown/document/nodes";
import { type Alignment, type Content, element, isNothing } from "../element.js";
import { leadsOf } from "../inlines/links.js";
import { picture } from "../picture.js";
import type { Scope } from "../scope.js";
import { words } from "../words.js";

/** More columns than these are no table that can be read on a sheet. */
const MOST_COLUMNS = 40;

/** A table as a grid or as cards. */
export function table(block: Block, scope: Scope): Content {
  const { view, columns, columnOf, rows } = readTable(block);
  if (textIn(view, "type") === "cards") return cards(view, columns, columnOf, rows, scope);
  const shown = columns.slice(0, MOST_COLUMNS);
  if (shown.length === 0) return undefined;
  return element("table", {
    columns: shown.map((column) => ({ title: titleOf(column, scope), ...alignment(column) })),
    head: !isSet(view, "hideHeader"),
    rows: rows.map((row) => shown.map((column) => cell(row, column, scope))),
  });
}

function titleOf({ definition, title }: Column, scope: Scope): Content {
  const nodes = listIn(definition, "nodes") as { object: string }[];
  return nodes.length > 0 ? scope.withoutNotes(() => scope.inlines(nodes)) : words(title);
}

function alignment({ type, definition }: Column): { align?: Alignment } {
  const align = textIn(definition, "textAlignment");
  if (align === "center") return { align };
  return align === "right" || type === "number" ? { align: "end" } : {};
}

/** A table as cards, each of which leads as a whole to its target. */
function cards(
  view: Data,
  columns: Column[],
  columnOf: (id: string) => Column[],
  rows: Row[],
  scope: Scope,
): Content {
  const column = (name: string) => columnOf(textIn(view, name) ?? "")[0];
  const [target, cover, dark] = [
    column("targetDefinition"),
    column("coverDefinition"),
    column("coverDefinitionDark"),
  ];
  const special = [target, cover, dark].map((one) => one?.id);
  const shown = columns.filter(({ id }) => !special.includes(id));
  return element("cards", {
    cards: rows.map((row) => {
      const led = target && scope.link(refIn(row.values, target.id));
      const image = cover && imageOf(row, cover, scope);
      const inner = () => shown.map((one) => cell(row, one, scope)).filter((one) => !isNothing(one));
      let body: Content[] = [];
      if (led) scope.inLink(() => (body = inner()));
      else body = inner();
      if (led?.title !== undefined && body.length === 0) body = [words(led.title)];
      return { ...(led && leadsOf(led)), ...(image && { cover: image }), body };
    }),
  });
}

/** Draws what stands in a cell. */
function cell(row: Row, column: Column, scope: Scope): Content {
  const { values, record, parts } = row;
  const { id } = column;
  const value = Object.hasOwn(values, id) ? values[id] : undefined;
  const unread = textIn(objectIn(objectIn(record, "cells"), id), "fragment");
  if (unread !== undefined) return blocks(parts.get(unread), scope);
  if (value === undefined || value === null) return undefined;
  return Object.hasOwn(KINDS, column.type) ? KINDS[column.type]!(row, column, scope) : undefined;
}

/** A paragraph alone needs no element of its own. */
function blocks(nodes: Block[] | undefined, scope: Scope): Content {
  const [first, ...others] = nodes ?? [];
  if (first?.type === "paragraph" && others.length === 0 && first.data?.align === undefined)
    return scope.inlines(first.nodes);
  return scope.blocks(nodes);
}

type DrawCell = (row: Row, column: Column, scope: Scope) => Content;

/** What columns of each type hold. */
const KINDS: Record<string, DrawCell> = {
  text: ({ values, parts }, { id }, scope) => blocks(parts.get(textIn(values, id)), scope),
  number: ({ values }, { id }) => numberIn(values, id)?.toString(),
  checkbox: ({ values }, { id }, { words: wording }) => {
    const done = isSet(values, id);
    return element("checkbox", { done, label: done ? wording.done : wording.open });
  },
  rating: ({ values }, { id, definition }, { words: wording }) => {
    const most = Math.min(10, Math.max(1, Math.round(numberIn(definition, "max") ?? 5)));
    const count = Math.min(most, Math.max(0, Math.round(numberIn(values, id) ?? 0)));
    return element("rating", { count, most, label: wording.stars(count, most) });
  },
  select: ({ values }, { id, definition }) => {
    const options = listIn(definition, "options") as Data[];
    const labels = new Map(options.map((one) => [one?.value, textIn(one, "label")]));
    return several(values[id]).flatMap((value) => [
      element("tag", { body: words(labels.get(value) ?? value) }),
      " ",
    ]);
  },
  users: ({ values }, { id }, scope) =>
    words(
      several(values[id])
        .flatMap((user) => scope.link({ kind: "user", user })?.title ?? [])
        .join(", "),
    ),
  files: ({ values }, { id }, scope) =>
    words(
      several(values[id])
        .flatMap((file) => scope.file({ kind: "file", file })?.name ?? [])
        .join(", "),
    ),
  "content-ref": ({ values }, { id }, scope) => {
    const led = scope.link(refIn(values, id));
    if (!led) return undefined;
    const body = words(led.title ?? led.to ?? "");
    return scope.linked ? body : element("link", { ...leadsOf(led), body });
  },
  image: imageOf,
};

/** An image of a cell, which may say how it fits besides what it is. */
function imageOf({ values }: Row, { id }: Column, scope: Scope): Content {
  const ref = refIn(values, id) ?? refIn(objectIn(values, id));
  const shown = picture({ ref, alt: "" }, scope);
  return shown && element("image", shown);
}
