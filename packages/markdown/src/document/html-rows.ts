import { type HtmlTag, type HtmlToken, htmlSource } from "./html.js";

export interface RawCell {
  tag: HtmlTag;
  inner: string;
}
export interface RawRow {
  attrs: HtmlTag["attrs"];
  cells: RawCell[];
}
export interface RawTable {
  rows: RawRow[];
  /** Attributes of `<thead>` and `<tbody>`, where these have any. */
  parts: Record<string, HtmlTag["attrs"]>;
}

const CELL = new Set(["td", "th"]);
const PART = new Set(["thead", "tbody"]);

/** The rows of a table. The ends of cells and rows may be missing, as in HTML; undefined when it has other parts. */
export function rowsOf(tokens: HtmlToken[]): RawTable | undefined {
  const table: RawTable = { rows: [], parts: {} };
  let cell: { tag: HtmlTag; from: number } | undefined;
  let row: RawRow | undefined;
  let tables = 0;
  const endCell = (at: number) => {
    if (cell) row!.cells.push({ tag: cell.tag, inner: htmlSource(tokens.slice(cell.from, at)) });
    cell = undefined;
  };
  for (const [at, token] of tokens.entries()) {
    const name = "text" in token ? "" : token.name;
    if (cell && name === "table") tables += (token as HtmlTag).closing ? -1 : 1;
    if (tables > 0 || (cell && !CELL.has(name) && !PART.has(name) && name !== "tr")) continue;
    if ("text" in token) {
      if (token.text.trim() !== "") return undefined;
      continue;
    }
    endCell(at);
    const { closing, attrs } = token;
    if (CELL.has(name)) {
      if (closing) continue;
      if (!row) return undefined;
      cell = { tag: token, from: at + 1 };
    } else if (name === "tr") {
      row = closing ? undefined : { attrs, cells: [] };
      if (row) table.rows.push(row);
    } else if (PART.has(name)) {
      row = undefined;
      if (Object.keys(attrs).length > 0) {
        if (table.parts[name]) return undefined;
        table.parts[name] = attrs;
      }
    } else return undefined;
  }
  if (cell && tables > 0) return undefined;
  endCell(tokens.length);
  return table;
}
