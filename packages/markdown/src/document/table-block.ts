import { type Block, type Data, type Fragment, voidBlock } from "./nodes.js";

/** A column of a table; `type` and what else the definition holds. */
export type Definition = Data & { id: string; title: string; type: string };

/** What a cell holds: blocks for text, a value for the other types. */
export type Cell = { blocks: Block[] } | { value: unknown };

/** A table of columns and rows. Ids tell the place: `c1`, `r1`, the fragment of a text cell is `r1-c1`. */
export function tableBlock(definitions: Definition[], rows: Cell[][], view: Data, data: Data = {}): Block {
  const fragments: Fragment[] = [];
  const records: Data = {};
  const width = String(rows.length).length;
  rows.forEach((cells, row) => {
    const values: Data = {};
    definitions.forEach(({ id }, column) => {
      const cell = cells[column];
      if (cell && "value" in cell) {
        if (cell.value !== undefined) values[id] = cell.value;
        return;
      }
      const fragment = `r${row + 1}-${id}`;
      values[id] = fragment;
      fragments.push({ object: "fragment", fragment, nodes: cell?.blocks ?? [] });
    });
    records[`r${row + 1}`] = { orderIndex: String(row + 1).padStart(width, "0"), values };
  });
  const definition = Object.fromEntries(definitions.map((one) => [one.id, one]));
  return voidBlock("table", { view, records, definition, ...data }, fragments);
}

export const columnId = (index: number): string => `c${index + 1}`;

/** The definition of a column of text. `data.nodes` keeps the marks and links of a title that has some. */
export const textColumn = (index: number, title: string, more: Data = {}): Definition => ({
  id: columnId(index),
  title,
  type: "text",
  textAlignment: "left",
  ...more,
});
