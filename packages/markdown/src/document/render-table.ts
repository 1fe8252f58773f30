import { escapeHtml, htmlAttrs } from "./html.js";
import { type Block, type Data, type InlineNode, inlinesOf, leaf, textNode } from "./nodes.js";
import { addressOf } from "./refs.js";
import { htmlInline, htmlOfBlocks } from "./render-html.js";
import { renderInline } from "./render-inline.js";
import type { Definition } from "./table-block.js";
import type { BlockWriter } from "./writer.js";

interface Rows {
  definitions: Definition[];
  view: Data;
  rows: Data[];
  cell(value: unknown): Block[];
}

/** A table as pipes when it is plain, else as HTML. */
export function renderTable(node: Block, writer: BlockWriter): string {
  const { view = {}, records = {}, definition = {}, fullWidth } = (node.data ?? {}) as Record<string, Data>;
  const fragments = new Map((node.fragments ?? []).map((one) => [one.fragment, one.nodes]));
  const rows: Rows = {
    definitions: Object.values(definition) as Definition[],
    view,
    rows: (Object.values(records) as { orderIndex?: unknown; values?: Data }[])
      .sort((one, two) =>
        String(one.orderIndex) < String(two.orderIndex)
          ? -1
          : String(one.orderIndex) > String(two.orderIndex)
            ? 1
            : 0,
      )
      .map(({ values }) => values ?? {}),
    cell: (value) => fragments.get(String(value)) ?? [],
  };
  return isPlain(rows) && fullWidth === undefined ? pipes(rows, writer) : html(rows, fullWidth, writer);
}

function isPlain({ definitions, view, rows, cell }: Rows): boolean {
  const shown = Array.isArray(view.columns) ? (view.columns as string[]) : [];
  return (
    view.type === "grid" &&
    view.hideHeader !== true &&
    view.columnWidths === undefined &&
    definitions.length > 0 &&
    shown.length === definitions.length &&
    definitions.every(
      ({ id, type, verticalAlignment }, index) =>
        type === "text" && verticalAlignment === undefined && shown[index] === id,
    ) &&
    rows.every((values) => definitions.every(({ id }) => fitsLine(cell(values[id]))))
  );
}

const fitsLine = (blocks: Block[]): boolean =>
  blocks.length === 0 ||
  (blocks.length === 1 && blocks[0]!.type === "paragraph" && blocks[0]!.data?.align === undefined);

const titleOf = ({ title, nodes }: Definition): InlineNode[] =>
  Array.isArray(nodes) ? (nodes as InlineNode[]) : title === "" ? [] : [textNode([leaf(String(title))])];

function pipes({ definitions, rows, cell }: Rows, writer: BlockWriter): string {
  const line = { ...writer, oneLine: true };
  const text = (nodes: InlineNode[]) =>
    renderInline(nodes, line).replaceAll("\n", " ").replaceAll("|", "\\|");
  const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rule = ({ textAlignment }: Definition) =>
    textAlignment === "center" ? ":---:" : textAlignment === "right" ? "---:" : "---";
  const body = rows.map((values) =>
    row(definitions.map(({ id }) => text(cell(values[id]).flatMap((node) => inlinesOf(node))))),
  );
  return [row(definitions.map((one) => text(titleOf(one)))), row(definitions.map(rule)), ...body].join("\n");
}

function html({ definitions, view, rows, cell }: Rows, fullWidth: unknown, writer: BlockWriter): string {
  const cards = view.type === "cards";
  const attrs = htmlAttrs({
    "data-view": cards ? "cards" : undefined,
    "data-card-size": cards && view.cardSize === "large" ? "large" : undefined,
    "data-header-hidden": view.hideHeader === true ? "true" : undefined,
    "data-column-title-hidden": view.hideColumnTitle === undefined ? undefined : String(view.hideColumnTitle),
    "data-full-width": fullWidth === undefined ? undefined : String(fullWidth),
  });
  const head = definitions.map((one) => header(one, view, writer)).join("");
  const body = rows.map(
    (values) =>
      `<tr>${definitions.map((one) => `<td${fit(values[one.id])}>${value(one, values[one.id], cell, writer)}</td>`).join("")}</tr>`,
  );
  return `<table${attrs}><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function header(definition: Definition, view: Data, writer: BlockWriter): string {
  const { id, type, textAlignment, verticalAlignment, max, multiple, options } = definition;
  const shown = Array.isArray(view.columns) ? (view.columns as unknown[]).includes(id) : true;
  const attrs = htmlAttrs({
    width: (view.columnWidths as Data | undefined)?.[id],
    align: textAlignment === "left" ? undefined : textAlignment,
    valign: verticalAlignment,
    "data-type": type === "text" || type === "select" ? undefined : type,
    "data-max": max,
    "data-multiple": type === "users" && multiple === true ? "true" : undefined,
  });
  const flags = [
    shown ? "" : " data-hidden",
    view.targetDefinition === id ? " data-card-target" : "",
    view.coverDefinition === id ? " data-card-cover" : "",
    view.coverDefinitionDark === id ? " data-card-cover-dark" : "",
  ];
  const choices = (options as Data[] | undefined)?.map(
    ({ value: one, label, color }) =>
      `<option${htmlAttrs({ value: one, label: undefined, color })}>${escapeHtml(String(label))}</option>`,
  );
  const select =
    type === "select"
      ? `<select${multiple === true ? " multiple" : ""}>${choices?.join("") ?? ""}</select>`
      : "";
  return `<th${attrs}${flags.join("")}>${htmlInline(titleOf(definition), writer)}${select}</th>`;
}

/** How the image of a cell fills it. */
const fit = (held: unknown): string =>
  htmlAttrs({ "data-object-fit": (held as { objectFit?: string } | null | undefined)?.objectFit });

function value(definition: Definition, held: unknown, cell: Rows["cell"], writer: BlockWriter): string {
  if (definition.type === "text") return htmlOfBlocks(cell(held), writer);
  if (held === undefined || held === null) return "";
  const list = Array.isArray(held) ? held : [held];
  if (definition.type === "select") {
    const label = (one: unknown) =>
      (definition.options as Data[] | undefined)?.find((option) => option.value === one)?.label ?? one;
    return list
      .map((one) => `<span${htmlAttrs({ "data-option": one })}>${escapeHtml(String(label(one)))}</span>`)
      .join(", ");
  }
  if (definition.type === "files" || definition.type === "users") {
    return list.map((one) => linked(refText(definition.type, String(one)), writer)).join(", ");
  }
  if (typeof held === "object") return linked(held as Data, writer);
  return escapeHtml(String(held));
}

/** A path stands for itself, an id for the file or person. */
const refText = (type: string, id: string): Data => {
  if (/[/.:]/.test(id)) return { kind: "url", url: id };
  return type === "files" ? { kind: "file", file: id } : { kind: "user", user: id };
};

function linked(ref: Data, { address }: BlockWriter): string {
  const url = addressOf(ref.kind === undefined && ref.ref ? ref.ref : ref, address);
  const text = /[^/]*\/?$/.exec(url)![0] || url;
  return `<a${htmlAttrs({ href: url })}>${escapeHtml(text)}</a>`;
}
