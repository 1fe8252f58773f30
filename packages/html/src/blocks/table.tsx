import type { Block } from "@octavo/markdown/document/nodes";
import { isSet, listIn, numberIn, objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { cards } from "./cards.js";
import { type Column, cell, type Row } from "./cells.js";

/** A table as a grid or as cards. Rows are in the order that they say. */
export function table(block: Block, scope: Scope): Html {
  const { data, fragments = [] } = block;
  const view = objectIn(data, "view");
  const definition = objectIn(data, "definition") ?? {};
  const ids = listIn(view, "columns").filter((id): id is string => typeof id === "string");
  const columnOf = (id: string): Column[] => {
    const found = Object.hasOwn(definition, id) ? objectIn(definition, id) : undefined;
    return found
      ? [
          {
            id,
            type: textIn(found, "type") ?? "text",
            title: textIn(found, "title") ?? "",
            definition: found,
          },
        ]
      : [];
  };
  const parts = new Map(fragments.map((one) => [one.fragment, one.nodes]));
  const records = Object.values(objectIn(data, "records") ?? {});
  const rows = records
    .filter((one): one is Row["record"] => typeof one === "object" && one !== null)
    .map((record): Row => ({ record, values: objectIn(record, "values") ?? {}, parts }))
    .sort((one, other) => compare(one.record.orderIndex, other.record.orderIndex));
  const columns = ids.flatMap(columnOf);
  if (textIn(view, "type") === "cards") return cards({ view: view!, columns, columnOf, rows }, scope);
  return (
    <section class="table" tabIndex={0} aria-label={scope.page.words.table}>
      <table>
        {!isSet(view, "hideHeader") && head(columns, objectIn(view, "columnWidths"), scope)}
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column) => (
                <td class={alignment(column)}>{cell(row, column, scope)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const compare = (one: unknown, other: unknown): number => {
  const [first, second] = [String(one ?? ""), String(other ?? "")];
  return first < second ? -1 : first > second ? 1 : 0;
};

function head(columns: Column[], widths: Record<string, unknown> | undefined, scope: Scope): Html {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const width = numberIn(widths, column.id);
          const style =
            width && width >= 20 && width <= 2000 ? `min-width:${Math.round(width)}px` : undefined;
          const nodes = listIn(column.definition, "nodes") as { object: string }[];
          return (
            <th scope="col" class={alignment(column)} style={style}>
              {nodes.length > 0 ? scope.inlines(nodes) : column.title}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function alignment({ type, definition }: Column): string | undefined {
  const align = textIn(definition, "textAlignment");
  if (align === "center") return "center";
  return align === "right" || type === "number" ? "end" : undefined;
}
