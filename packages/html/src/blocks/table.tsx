import { type Block, plainText } from "@octavo/markdown/document/nodes";
import { alignmentOf, readCell } from "../cell-data.js";
import { isSet, numberIn, objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { type Column, type Row, readTable, type Table } from "../table-data.js";
import { cards } from "./cards.js";
import { cell, columnTitle } from "./cells.js";

/** Rows of a table that is laid out when it comes into view: about how high it will be is known from their number. */
const LONG_ROWS = 8;
/** Characters in a cell from which its column is not narrowed to a word a line. */
const WORDY = 30;

/** A table as a grid or as cards. Rows are in the order that they say. */
export function table(block: Block, scope: Scope): Html {
  const data = readTable(block);
  const { view, columns, rows } = data;
  if (textIn(view, "type") === "cards") return cards(data, scope);
  return (
    <section
      class="table"
      tabIndex={0}
      aria-label={scope.page.words.table}
      style={rows.length >= LONG_ROWS ? `--rows:${rows.length}` : undefined}
    >
      <table>
        {!isSet(view, "hideHeader") && head(data, scope)}
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column) => (
                <td class={alignmentOf(column)}>{cell(row, column, scope)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function head({ view, columns, rows }: Table, scope: Scope): Html {
  const widths = objectIn(view, "columnWidths");
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const width = numberIn(widths, column.id);
          const style =
            width && width >= 20 && width <= 2000 ? `min-width:${Math.round(width)}px` : undefined;
          return (
            <th scope="col" class={classOf(column, rows)} style={style}>
              {columnTitle(column, scope)}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function classOf(column: Column, rows: Row[]): string | undefined {
  const isWordy = rows.some((row) => {
    const held = readCell(row, column);
    return (held?.kind === "line" || held?.kind === "blocks") && plainText(held.nodes ?? []).length > WORDY;
  });
  return [alignmentOf(column), isWordy && "wordy"].filter(Boolean).join(" ") || undefined;
}
