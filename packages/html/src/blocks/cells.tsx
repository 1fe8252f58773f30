import type { Block, Data } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { isSet, listIn, numberIn, objectIn, refIn, textIn } from "../data.js";
import { icon } from "../icons.js";
import { picture } from "../picture.js";
import type { Html, Scope } from "../scope.js";
import { type Column, type Row, several } from "../table-data.js";
import { linkUrl } from "../urls.js";

/** Draws what stands in a cell. */
export function cell(row: Row, column: Column, scope: Scope): Html {
  const { values, record, parts } = row;
  const { id } = column;
  const value = Object.hasOwn(values, id) ? values[id] : undefined;
  const unread = textIn(objectIn(objectIn(record, "cells"), id), "fragment");
  if (unread !== undefined) return blocks(parts.get(unread), scope);
  if (value === undefined || value === null) return undefined;
  return Object.hasOwn(KINDS, column.type) ? KINDS[column.type]!(row, column, scope) : undefined;
}

/** A paragraph alone needs no element of its own. */
function blocks(nodes: Block[] | undefined, scope: Scope): Html {
  const [first, ...others] = nodes ?? [];
  if (first?.type === "paragraph" && others.length === 0 && first.data?.align === undefined)
    return scope.inlines(first.nodes);
  return scope.blocks(nodes);
}

type DrawCell = (row: Row, column: Column, scope: Scope) => Html;

/** What columns of each type hold. */
const KINDS: Record<string, DrawCell> = {
  text: ({ values, parts }, { id }, scope) => blocks(parts.get(textIn(values, id)), scope),
  number: ({ values }, { id }) => numberIn(values, id)?.toString(),
  checkbox: ({ values }, { id }, { page }) => {
    const done = isSet(values, id);
    return (
      <input type="checkbox" checked={done} disabled aria-label={done ? page.words.done : page.words.open} />
    );
  },
  rating: ({ values }, { id, definition }, { page }) => {
    const most = Math.min(10, Math.max(1, Math.round(numberIn(definition, "max") ?? 5)));
    const count = Math.min(most, Math.max(0, Math.round(numberIn(values, id) ?? 0)));
    return (
      <span class="rating" role="img" aria-label={page.words.stars(count, most)}>
        {"★".repeat(count) + "☆".repeat(most - count)}
      </span>
    );
  },
  select: ({ values }, { id, definition }) => {
    const options = listIn(definition, "options") as Data[];
    const labels = new Map(options.map((one) => [one?.value, textIn(one, "label")]));
    return several(values[id]).map((value) => <span class="tag">{labels.get(value) ?? value}</span>);
  },
  users: ({ values }, { id }, scope) =>
    several(values[id]).map((user) => scope.page.link({ kind: "user", user })?.title),
  files: ({ values }, { id }, scope) =>
    several(values[id]).map((file) => fileLink({ kind: "file", file }, scope)),
  "content-ref": ({ values }, { id }, scope) => {
    const ref = refIn(values, id);
    const target = ref && scope.page.link(ref);
    const href = target && linkUrl(target.href);
    const words = target?.title ?? target?.href;
    return href === undefined ? words : <a href={href}>{words}</a>;
  },
  image: ({ values }, { id }, scope) => imageCell(values, id, "", scope),
};

function fileLink(ref: Ref, scope: Scope): Html {
  const found = scope.page.file(ref);
  const href = found && linkUrl(found.href);
  if (href === undefined) return undefined;
  return (
    <a class="file-name" href={href} download={found!.name}>
      {icon("paperclip")}
      {found!.name}
    </a>
  );
}

/** An image of a cell, which may say how it fits besides what it is. */
export function imageCell(values: Data, id: string, alt: string, scope: Scope, className?: string): Html {
  const ref = refIn(values, id) ?? refIn(objectIn(values, id));
  return picture({ ref, alt, ...(className && { className }) }, scope);
}
