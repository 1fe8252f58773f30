import type { Block, Data } from "@octavo/markdown/document/nodes";
import { listIn, objectIn, textIn } from "./data.js";

export interface Column {
  id: string;
  type: string;
  title: string;
  definition: Data;
}

export interface Row {
  record: Data;
  values: Data;
  /** The blocks of cells, by the names that the values are. */
  parts: Map<string | undefined, Block[]>;
}

/** What a table holds, as its data says it. */
export interface Table {
  view: Data;
  /** The columns that are shown. */
  columns: Column[];
  /** The column with an id, in a list; nothing when there is none. */
  columnOf: (id: string) => Column[];
  rows: Row[];
}

/** Reads the data of a table. Rows are in the order that they say. */
export function readTable(block: Block): Table {
  const { data, fragments = [] } = block;
  const view = objectIn(data, "view") ?? {};
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
  return { view, columns, columnOf, rows };
}

const compare = (one: unknown, other: unknown): number => {
  const [first, second] = [String(one ?? ""), String(other ?? "")];
  return first < second ? -1 : first > second ? 1 : 0;
};

/** A value, or the values of a list. */
export const several = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === "string" && one !== "",
  );
