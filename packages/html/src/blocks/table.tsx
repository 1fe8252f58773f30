import type { Block } from "@octavo/markdown/document/nodes";
import { alignmentOf } from "../cell-data.js";
import { isSet, numberIn, objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { type Column, readTable } from "../table-data.js";
import { cards } from "./cards.js";
import { cell, columnTitle } from "./cells.js";

/** Rows of a table that is laid out when it comes into view: about how high it will be is known from their number. */
const LONG = 8;

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
      style={rows.length >= LONG ? `--rows:${rows.length}` : undefined}
    >
      <table>
        {!isSet(view, "hideHeader") && head(columns, objectIn(view, "columnWidths"), scope)}
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

function head(columns: Column[], widths: Record<string, unknown> | undefined, scope: Scope): Html {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const width = numberIn(widths, column.id);
          const style =
            width && width >= 20 && width <= 2000 ? `min-width:${Math.round(width)}px` : undefined;
          return (
            <th scope="col" class={alignmentOf(column)} style={style}>
              {columnTitle(column, scope)}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
