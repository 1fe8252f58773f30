import { type HtmlTag, type HtmlToken, htmlSource, isComments } from "../parser/html.js";
import { hasConditionTag, hidesBehind } from "../text/hidden-text.js";

export interface RawCell {
  tag: HtmlTag;
  inner: string;
}
export interface RawRow {
  attrs: HtmlTag["attrs"];
  cells: RawCell[];
  /** The comments in front of the row and between its cells. */
  comments: string;
  /** Whether it stands in `<tfoot>`. */
  foot: boolean;
}
export interface RawTable {
  /** Those of `<tfoot>` are the last ones. */
  rows: RawRow[];
  caption?: RawCell;
  /** `<colgroup>` and its `<col>`; columns without a group are in one that is not `written`. */
  columnGroups: RawColumnGroup[];
  /** The comments behind the last row. */
  comments: string;
  /** Attributes of `<thead>`, `<tbody>` and `<tfoot>`, where these have any. */
  parts: Record<string, HtmlTag["attrs"]>;
}

export interface RawColumnGroup {
  attrs: HtmlTag["attrs"];
  written: boolean;
  /** Whether more columns may follow. */
  open: boolean;
  columns: HtmlTag["attrs"][];
}

const CELL = new Set(["td", "th"]);
const PART = new Set(["thead", "tbody", "tfoot"]);

/**
 * The rows of a table. The ends of cells and rows may be missing, as in HTML; undefined when it has other parts, or when
 * a comment or the caption may hide what comes behind it.
 */
export function rowsOf(tokens: HtmlToken[]): RawTable | undefined {
  const table: RawTable = { rows: [], columnGroups: [], comments: "", parts: {} };
  let cell: { tag: HtmlTag; from: number } | undefined;
  let row: RawRow | undefined;
  let part = "";
  let tables = 0;
  const endCell = (at: number) => {
    if (cell) row!.cells.push({ tag: cell.tag, inner: htmlSource(tokens.slice(cell.from, at)) });
    cell = undefined;
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const name = "text" in token ? "" : token.name;
    if (cell && name === "table") tables += (token as HtmlTag).closing ? -1 : 1;
    if (tables > 0 || (cell && !CELL.has(name) && !PART.has(name) && name !== "tr")) continue;
    if ("text" in token) {
      if (token.text.trim() !== "") return undefined;
      continue;
    }
    endCell(at);
    const { closing, attrs, source } = token;
    if (name === "colgroup" || name === "col") {
      if (table.rows.length > 0 || part !== "" || !takeColumns(table, token)) return undefined;
      continue;
    }
    if (CELL.has(name)) {
      if (closing) continue;
      if (!row) return undefined;
      cell = { tag: token, from: at + 1 };
    } else if (name === "tr") {
      row = closing ? undefined : { attrs, cells: [], comments: table.comments, foot: part === "tfoot" };
      if (!row) continue;
      table.rows.push(row);
      table.comments = "";
    } else if (PART.has(name)) {
      row = undefined;
      part = closing ? "" : name;
      if (Object.keys(attrs).length > 0) {
        if (table.parts[name]) return undefined;
        table.parts[name] = attrs;
      }
    } else if (isComments(source)) {
      if (hidesBehind(source)) return undefined;
      (row ?? table).comments += source;
    } else if (name === "caption" && !closing && !table.caption && table.rows.length === 0 && part === "") {
      const end = tokens.findIndex((one, index) => index > at && "name" in one && one.name === name);
      if (end < 0 || !(tokens[end] as HtmlTag).closing) return undefined;
      table.caption = { tag: token, inner: htmlSource(tokens.slice(at + 1, end)) };
      if (hasConditionTag(table.caption.inner)) return undefined;
      at = end;
    } else return undefined;
  }
  if (cell && tables > 0) return undefined;
  endCell(tokens.length);
  table.rows = [...table.rows.filter(({ foot }) => !foot), ...table.rows.filter(({ foot }) => foot)];
  return table;
}

/** Takes an edge of a group of columns, or a column; false when it stands where none can. */
function takeColumns({ columnGroups }: RawTable, { name, closing, attrs }: HtmlTag): boolean {
  const last = columnGroups.at(-1);
  if (closing) {
    if (name === "col" || !last?.open || !last.written) return false;
    last.open = false;
    return true;
  }
  if (name === "colgroup") {
    if (last) last.open = false;
    columnGroups.push({ attrs, columns: [], written: true, open: true });
    return true;
  }
  if (last?.open) last.columns.push(attrs);
  else columnGroups.push({ attrs: {}, columns: [attrs], written: false, open: true });
  return true;
}
