import { attributesOf, closedBy, type HtmlTag, htmlText, readAttrs, readHtml } from "../parser/html.js";
import { htmlBlocks } from "./html-blocks.js";
import { cellOf } from "./html-cells.js";
import { inlineHtml } from "./html-inline.js";
import { type RawCell, type RawColumnGroup, type RawRow, rowsOf } from "./html-rows.js";
import type { InlineContext } from "./inline-context.js";
import { type Block, type Data, type Fragment, verbatim } from "./nodes.js";
import { titleNodes } from "./parse-table.js";
import { fitsPipes } from "./pipes.js";
import { columnId, type Definition, type Row, tableBlock, textColumn } from "./table-block.js";
import { visibleLine } from "./visible-source.js";

/**
 * An HTML table as a grid or cards; undefined when it has other parts than rows. Attributes that the document does not
 * know are kept in `attributes` of the table, the column, the record or the cell, `<colgroup>` in `columnGroups`; the caption and the comments that are
 * in no cell are fragments, named in `caption` and `comments` of the table and in `comments` of the records.
 */
export function htmlTable({ attrs }: HtmlTag, inner: string, context: InlineContext): Block | undefined {
  const table = rowsOf(readHtml(inner));
  const first = table?.rows[0];
  if (!table || !first) return undefined;
  const caption = table.caption && htmlBlocks(table.caption.inner, context);
  const head = !first.foot && first.cells.every(({ tag }) => tag.name === "th") ? first : undefined;
  const body = head ? table.rows.slice(1) : table.rows;
  const { "data-view": view, "data-card-size": size, "data-full-width": wide, ...others } = attrs;
  const cards = view === "cards";
  // Written by itself as it is read here; another spelling of it is kept.
  const flag = cards ? "data-column-title-hidden" : "data-header-hidden";
  const columns = columnsOf(head?.cells ?? [], widest(table.rows), context);
  if (!cards) takeWidths(columns, table.columnGroups);
  const definitions = columns.map(({ definition }, index) => ({
    ...definition,
    ...(isAlignedAlone(definition, index, body) && { headAligned: true }),
  }));
  const rows = body.map(
    ({ attrs: more, cells, comments, foot }): Row => ({
      cells: cells.map((cell, index) => cellOf(definitions[index]!, cell, context)),
      more: { ...attributesOf(more), ...(foot && { foot }) },
      comments,
    }),
  );
  const kept = {
    ...(view !== undefined && !cards && { "data-view": view }),
    ...(size !== undefined && !(cards && size === "large") && { "data-card-size": size }),
    ...Object.fromEntries(Object.entries(others).filter(([key, value]) => key !== flag || value !== "")),
  };
  const parts = { ...table.parts, ...(head && Object.keys(head.attrs).length > 0 && { tr: head.attrs }) };
  const data: Data = {
    ...(wide !== undefined && { fullWidth: wide !== "false" }),
    ...(!head && { headless: true }),
    ...attributesOf(kept),
    ...(Object.keys(parts).length > 0 && { parts }),
    ...(table.columnGroups.length > 0 && { columnGroups: table.columnGroups.map(groupData) }),
    ...(table.caption && { caption: { fragment: "caption", ...attributesOf(table.caption.tag.attrs) } }),
    ...((head?.comments || table.comments) && {
      comments: {
        ...(head?.comments && { head: "head-comments" }),
        ...(table.comments && { end: "end-comments" }),
      },
    }),
  };
  const shown = columns.filter(({ hidden }) => !hidden).map(({ definition }) => definition.id);
  const records = tableBlock(definitions, rows, cards ? cardsView() : gridView(), data);
  const found = {
    ...records,
    fragments: [
      ...(caption ? [fragment("caption", caption)] : []),
      ...(head?.comments ? [fragment("head-comments", [verbatim(head.comments)])] : []),
      ...records.fragments!,
      ...(table.comments ? [fragment("end-comments", [verbatim(table.comments)])] : []),
    ],
  };
  return fitsPipes(found) ? { ...found, data: { ...found.data, html: true } } : found;

  function gridView(): Data {
    const widths = columns.flatMap(({ definition, width }) =>
      width === undefined ? [] : [[definition.id, width]],
    );
    return {
      type: "grid",
      columns: shown,
      ...(widths.length > 0 && { columnWidths: Object.fromEntries(widths) }),
      hideHeader: !head || isSet(attrs["data-header-hidden"]),
    };
  }

  function cardsView(): Data {
    const role = (name: string) => columns.find(({ roles }) => roles.includes(name))?.definition.id;
    const [target, cover, dark] = ["target", "cover", "cover-dark"].map(role);
    const untitled = attrs["data-column-title-hidden"];
    return {
      type: "cards",
      cardSize: size === "large" ? "large" : "medium",
      columns: shown,
      ...(target && { targetDefinition: target }),
      ...(cover && { coverDefinition: cover }),
      ...(dark && { coverDefinitionDark: dark }),
      ...(untitled !== undefined && { hideColumnTitle: isSet(untitled) }),
    };
  }
}

const fragment = (name: string, nodes: Block[]): Fragment => ({ object: "fragment", fragment: name, nodes });

/** Whether the cells of an aligned column do not say so themselves. */
const isAlignedAlone = (
  { textAlignment = "left", verticalAlignment }: Definition,
  index: number,
  rows: RawRow[],
): boolean =>
  (textAlignment !== "left" || verticalAlignment !== undefined) &&
  rows.some(({ cells }) => cells[index] !== undefined) &&
  rows.every(({ cells }) => ["align", "valign"].every((name) => cells[index]?.tag.attrs[name] === undefined));

const isSet = (value: string | undefined): boolean => value !== undefined && value !== "false";

const widest = (rows: { cells: unknown[] }[]): number =>
  rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);

interface Column {
  definition: Definition;
  width?: number;
  hidden: boolean;
  roles: string[];
}

/** Columns without a head have no title. */
const columnsOf = (heads: RawCell[], count: number, context: InlineContext): Column[] =>
  Array.from({ length: count }, (_, index) => {
    const head = heads[index];
    if (head) return column(head, index, context);
    return { definition: textColumn(index, ""), hidden: false, roles: [] };
  });

const ROLES = ["target", "cover", "cover-dark"];

function column({ tag, inner }: RawCell, index: number, context: InlineContext): Column {
  const { width: written, "data-hidden": hidden, ...attrs } = tag.attrs;
  const width = written === undefined ? undefined : Number(written.replace(/px$/, "") || Number.NaN);
  const known = width !== undefined && Number.isFinite(width);
  const roles = ROLES.filter((name) => `data-card-${name}` in attrs);
  for (const role of roles) delete attrs[`data-card-${role}`];
  const select = closedBy(inner, /<select((?:\s[^<>]*)?)>/i, "</select>");
  const options = select && optionsOf(select.inner);
  const titled = options ? inner.slice(0, select.match.index) : inner;
  const nodes = inlineHtml(titled.trim(), context);
  const definition = definitionOf(
    index,
    visibleLine(nodes),
    attrs,
    options ? { select: readAttrs(select.match[1]!), options } : undefined,
  );
  const { attributes } = definition as { attributes?: HtmlTag["attrs"] };
  const kept = {
    ...(written !== undefined && !known && { width: written }),
    ...(hidden !== undefined && hidden !== "" && { "data-hidden": hidden }),
    ...attributes,
  };
  return {
    definition: { ...definition, ...titleNodes(nodes), ...attributesOf(kept) },
    ...(known && { width }),
    hidden: isSet(hidden),
    roles,
  };
}

/** A column that does not say its width has the one that its `<col>` says in pixels; `widthInGroup` marks it. */
function takeWidths(columns: Column[], groups: RawColumnGroup[]): void {
  let index = 0;
  for (const { width, span } of groups.flatMap((group) => group.columns)) {
    const column = columns[index];
    index += span === undefined ? 1 : Math.max(1, Number.parseInt(span, 10) || 1);
    if (!column || width === undefined || span !== undefined || String(Number(width)) !== width) continue;
    if (column.width !== undefined || column.definition.attributes !== undefined) continue;
    column.width = Number(width);
    column.definition.widthInGroup = true;
  }
}

const groupData = ({ attrs, written, columns }: RawColumnGroup): Data => ({
  ...attributesOf(attrs),
  columns,
  ...(!written && { implied: true }),
});

interface Select {
  select: HtmlTag["attrs"];
  options: Data[];
}

const VALUES = ["number", "checkbox", "files", "content-ref", "image"];

function definitionOf(
  index: number,
  title: string,
  attrs: HtmlTag["attrs"],
  choice: Select | undefined,
): Definition {
  const base = { id: columnId(index), title };
  const { "data-type": type, ...others } = attrs;
  if (choice || type === "select") {
    const { multiple, ...more } = choice?.select ?? {};
    return {
      ...base,
      type: "select",
      multiple: multiple !== undefined,
      options: choice?.options ?? [],
      ...(Object.keys(more).length > 0 && { select: more }),
      ...attributesOf(attrs),
    };
  }
  if (type === "rating") {
    const { "data-max": max, ...more } = others;
    const most = Number(max || Number.NaN);
    return {
      ...base,
      type,
      max: Number.isFinite(most) ? most : 5,
      ...attributesOf(Number.isFinite(most) || max === undefined ? more : others),
    };
  }
  if (type === "users") {
    const { "data-multiple": multiple, ...more } = others;
    return {
      ...base,
      type,
      multiple: multiple !== undefined,
      ...attributesOf(multiple === "" ? more : others),
    };
  }
  if (type !== undefined && VALUES.includes(type)) return { ...base, type, ...attributesOf(others) };
  const { align, valign, ...more } = attrs;
  const aligned = align !== undefined && ["left", "center", "right"].includes(align);
  return textColumn(index, title, {
    ...(aligned && { textAlignment: align }),
    ...(valign && { verticalAlignment: valign }),
    ...attributesOf({ ...(align !== undefined && !aligned && { align }), ...more }),
  });
}

const OPTION = /<option((?:\s[^<>]*)?)>([^<>]*)(?:<\/option>)?/gi;

/** The options of a select: their labels are attributes, or stand in them. */
function optionsOf(source: string): Data[] | undefined {
  if (source.replace(OPTION, "").trim() !== "") return undefined;
  return [...source.matchAll(OPTION)].map(([, written, words]) => {
    const { value = "", label, color = "", ...others } = readAttrs(written!);
    return { value, label: label ?? (htmlText(words!).trim() || value), color, ...attributesOf(others) };
  });
}
