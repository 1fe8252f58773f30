import { type Block, blocksOf, type Data } from "./nodes.js";
import type { Definition } from "./table-block.js";

// What a table in pipes can say: texts in columns that are all shown, and nothing about rows and cells.

/** A row of a table, in order. */
export interface TableRecord {
  orderIndex?: unknown;
  values?: Data;
  cells?: Record<string, Data>;
  surplus?: unknown;
  cellCount?: unknown;
  /** The fragment of the comments in front of it. */
  comments?: unknown;
  foot?: unknown;
  attributes?: unknown;
}

/** The parts of a table as they are written. */
export interface TableParts {
  definitions: Definition[];
  view: Data;
  records: TableRecord[];
  data: Data;
  /** The blocks of a fragment. */
  cell(fragment: unknown): Block[];
}

/** Returns the parts of a table block, its records in their order. */
export function partsOf(node: Block): TableParts {
  const { view = {}, records = {}, definition = {}, ...data } = (node.data ?? {}) as Record<string, Data>;
  const fragments = new Map((node.fragments ?? []).map((one) => [one.fragment, one.nodes]));
  const order = ({ orderIndex }: TableRecord) => String(orderIndex);
  return {
    definitions: Object.values(definition) as Definition[],
    view,
    records: (Object.values(records) as TableRecord[]).sort((one, two) =>
      order(one) < order(two) ? -1 : order(one) > order(two) ? 1 : 0,
    ),
    data,
    cell: (fragment) => fragments.get(String(fragment)) ?? [],
  };
}

/** Whether a table can be written in pipes. */
export const fitsPipes = (node: Block): boolean => arePlain(partsOf(node));

/**
 * Returns whether the parts of a table can be written in pipes: a grid of texts without anything about rows and
 * cells.
 */
export function arePlain({ definitions, view, records, data, cell }: TableParts): boolean {
  const shown = Array.isArray(view.columns) ? (view.columns as string[]) : [];
  return (
    view.type === "grid" &&
    view.hideHeader !== true &&
    view.columnWidths === undefined &&
    Object.values(data).every((value) => value === undefined) &&
    definitions.length > 0 &&
    shown.length === definitions.length &&
    definitions.every(
      ({ id, type, verticalAlignment, attributes }, index) =>
        type === "text" && verticalAlignment === undefined && attributes === undefined && shown[index] === id,
    ) &&
    records.every(
      ({ values = {}, cells, attributes, cellCount, comments, foot }) =>
        cells === undefined &&
        comments === undefined &&
        foot === undefined &&
        attributes === undefined &&
        cellCount === undefined &&
        definitions.every(({ id }) => fitsCell(cell(values[id]))),
    )
  );
}

/** Words of one line, or paragraphs and lists: elements in a line of markdown. */
const fitsCell = (blocks: Block[]): boolean => blocks.every(fitsElement);

function fitsElement({ type, data = {}, nodes = [] }: Block): boolean {
  if (type === "paragraph") return Object.keys(data).every((key) => key === "html");
  if (type !== "list-unordered" && type !== "list-ordered") return false;
  return blocksOf({ nodes }).every(
    (item) => item.data?.checked === undefined && blocksOf(item).every(fitsElement),
  );
}
