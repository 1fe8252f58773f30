import { alignmentOf, type Cell, imageIn, readCell } from "@octavo/html/cell-data";
import { isSet, listIn, refIn, textIn } from "@octavo/html/data";
import { type Column, type Row, readTable } from "@octavo/html/table-data";
import type { Block, Data } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { type Content, element, isNothing } from "../element.js";
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
    columns: shown.map((column) => ({ title: titleOf(column, scope), align: alignmentOf(column) })),
    head: !isSet(view, "hideHeader"),
    rows: rows.map((row) => shown.map((column) => cell(row, column, scope))),
  });
}

function titleOf({ definition, title }: Column, scope: Scope): Content {
  const nodes = listIn(definition, "nodes") as { object: string }[];
  return nodes.length > 0 ? scope.withoutNotes(() => scope.inlines(nodes)) : words(title);
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
      const shownCover = cover && image(imageIn(row.values, cover.id), scope);
      const inner = () => shown.map((one) => cell(row, one, scope)).filter((one) => !isNothing(one));
      let body: Content[] = [];
      if (led) scope.inLink(() => (body = inner()));
      else body = inner();
      if (led?.title !== undefined && body.length === 0) body = [words(led.title)];
      return { ...(led && leadsOf(led)), ...(shownCover && { cover: shownCover }), body };
    }),
  });
}

/** Draws what stands in a cell. */
function cell(row: Row, column: Column, scope: Scope): Content {
  const held = readCell(row, column);
  return held && draw(held, scope);
}

function draw(held: Cell, scope: Scope): Content {
  const { words: wording } = scope;
  switch (held.kind) {
    case "line":
      return scope.inlines(held.nodes);
    case "blocks":
      return scope.blocks(held.nodes);
    case "number":
      return held.text;
    case "checkbox":
      return element("checkbox", { done: held.done, label: held.done ? wording.done : wording.open });
    case "rating": {
      const { count, most } = held;
      return element("rating", { count, most, label: wording.stars(count, most) });
    }
    case "select":
      return held.labels.flatMap((label) => [element("tag", { body: words(label) }), " "]);
    case "users":
      return words(held.refs.flatMap((ref) => scope.link(ref)?.title ?? []).join(", "));
    case "files":
      return words(held.refs.flatMap((ref) => scope.file(ref)?.name ?? []).join(", "));
    case "content-ref": {
      const led = scope.link(held.ref);
      if (!led) return undefined;
      const body = words(led.title ?? led.to ?? "");
      return scope.linked ? body : element("link", { ...leadsOf(led), body });
    }
    case "image":
      return image(held.ref, scope);
  }
}

function image(ref: Ref | undefined, scope: Scope): Content {
  const shown = picture({ ref, alt: "" }, scope);
  return shown && element("image", shown);
}
