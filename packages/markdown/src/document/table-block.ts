import { type Block, type Data, type Fragment, verbatim, voidBlock } from "./nodes.js";

/** A column of a table; `type` and what else the definition holds. */
export type Definition = Data & { id: string; title: string; type: string };

/**
 * What a cell holds: blocks for text, a value for the other types. `unread` blocks are what stands in a cell that has
 * another form than its column has; `more` is what else the cell says.
 */
export type Cell = { blocks: Block[]; unread?: true; more?: Data } | { value: unknown; more?: Data };

export interface Row {
  /** As many as the table has columns, or fewer. */
  cells: Cell[];
  /** What the record says besides its values. */
  more?: Data;
  /** What stands behind the last column, which nobody is shown. */
  surplus?: Block[];
  /** The source of the comments in front of the row. */
  comments?: string;
}

/**
 * A table of columns and rows. Ids name the place: `c1`, `r1`, the fragment of a text cell is `r1-c1`. What a cell says
 * besides its value stands in `cells` of the record: `attributes`, `labels` of links by their addresses, the `fragment`
 * of what is no value of the column's type. `cellCount` of a record is set when it has fewer cells than the table columns,
 * `comments` is the fragment of the comments in front of it, `foot` is set when it stands in the foot of the table.
 */
export function tableBlock(definitions: Definition[], rows: Row[], view: Data, data: Data = {}): Block {
  const fragments: Fragment[] = [];
  const records: Data = {};
  const width = String(rows.length).length;
  const put = (fragment: string, nodes: Block[]) => {
    fragments.push({ object: "fragment", fragment, nodes });
    return fragment;
  };
  rows.forEach(({ cells, more, surplus, comments }, row) => {
    const name = `r${row + 1}`;
    const before = comments ? { comments: put(`${name}-comments`, [verbatim(comments)]) } : {};
    const values: Data = {};
    const others: Data = {};
    cells.forEach((cell, column) => {
      const { id } = definitions[column]!;
      const data: Data = { ...cell.more };
      if ("value" in cell) {
        if (cell.value !== undefined) values[id] = cell.value;
      } else if (cell.unread) data.fragment = put(`${name}-${id}`, cell.blocks);
      else values[id] = put(`${name}-${id}`, cell.blocks);
      if (Object.keys(data).length > 0) others[id] = data;
    });
    records[name] = {
      orderIndex: String(row + 1).padStart(width, "0"),
      values,
      ...(Object.keys(others).length > 0 && { cells: others }),
      ...(cells.length < definitions.length && { cellCount: cells.length }),
      ...(surplus && { surplus: put(`${name}-surplus`, surplus) }),
      ...before,
      ...more,
    };
  });
  const definition = Object.fromEntries(definitions.map((one) => [one.id, one]));
  return voidBlock("table", { view, records, definition, ...data }, fragments);
}

/** Returns the id of a column by its index, from 0: `c1`, `c2`, … */
export const columnId = (index: number): string => `c${index + 1}`;

/** The definition of a column of text. `data.nodes` keeps the marks and links of a title that has some. */
export const textColumn = (index: number, title: string, more: Data = {}): Definition => ({
  id: columnId(index),
  title,
  type: "text",
  textAlignment: "left",
  ...more,
});

/** The words that a link in a cell has by itself: the name of the file, or the address of what lies elsewhere. */
export function labelOfAddress(url: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  return /[^/]*\/?$/.exec(url)![0] || url;
}
