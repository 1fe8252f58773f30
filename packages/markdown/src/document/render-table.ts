import { escapeHtml, htmlAttrs, isComments, keptAttrs } from "../parser/html.js";
import { type Block, type Data, type InlineNode, inlinesOf, leaf, linesText, textNode } from "./nodes.js";
import { arePlain, partsOf, type TableParts, type TableRecord } from "./pipes.js";
import { addressOf } from "./refs.js";
import { cellsHtml, htmlInline, htmlOfBlocks } from "./render-html.js";
import { renderInline } from "./render-inline.js";
import { type Definition, labelOfAddress } from "./table-block.js";
import type { BlockWriter } from "./writer.js";

/** A table as pipes when it is plain, else as HTML. */
export function renderTable(node: Block, writer: BlockWriter): string {
  const parts = partsOf(node);
  return arePlain(parts) ? pipes(parts, writer) : tableHtml(parts, writer);
}

const titleOf = ({ title, nodes }: Definition): InlineNode[] =>
  Array.isArray(nodes) ? (nodes as InlineNode[]) : title === "" ? [] : [textNode([leaf(String(title))])];

function pipes({ definitions, records, cell }: TableParts, writer: BlockWriter): string {
  const line = { ...writer, oneLine: true };
  const inPipes = (source: string) => source.replaceAll("\n", " ").replaceAll("|", "\\|");
  const words = (nodes: InlineNode[]) => renderInline(nodes, line);
  const row = (cells: string[], surplus = "") =>
    `| ${cells.join(" | ")} |${surplus === "" ? "" : ` ${surplus} |`}`;
  const rule = ({ textAlignment }: Definition) =>
    textAlignment === "center" ? ":---:" : textAlignment === "right" ? "---:" : "---";
  const body = records.map(({ values = {}, surplus }) =>
    row(
      definitions.map(({ id }) => inPipes(cellsHtml(cell(values[id]), words))),
      surplus === undefined ? "" : words(cell(surplus).flatMap((node) => inlinesOf(node))),
    ),
  );
  return [
    row(definitions.map((one) => inPipes(words(titleOf(one))))),
    row(definitions.map(rule)),
    ...body,
  ].join("\n");
}

function tableHtml({ definitions, view, records, data, cell }: TableParts, writer: BlockWriter): string {
  const cards = view.type === "cards";
  const kept = { ...(data.attributes as Data | undefined) };
  const attrs = [
    cards && view.cardSize === "large"
      ? htmlAttrs({ "data-card-size": "large" })
      : taken(kept, "data-card-size"),
    flag("data-column-title-hidden", view.hideColumnTitle === true, kept),
    cards ? htmlAttrs({ "data-view": "cards" }) : taken(kept, "data-view"),
    flag("data-header-hidden", view.hideHeader === true && data.headless === undefined, kept),
    data.fullWidth === undefined ? "" : htmlAttrs({ "data-full-width": String(data.fullWidth) }),
    keptAttrs(kept),
  ];
  const { thead, tr, tbody, tfoot } = (data.parts ?? {}) as Record<string, Data>;
  const comments = (data.comments ?? {}) as Data;
  const heads = definitions.map((one) => header(one, view, writer)).join("");
  const head =
    data.headless === undefined ? `<thead${keptAttrs(thead)}><tr${keptAttrs(tr)}>${heads}</tr></thead>` : "";
  const rows = (of: TableRecord[]) => of.map((record) => rowHtml(record, definitions, cell, writer)).join("");
  const [body, foot] = [false, true].map((of) => records.filter((record) => (record.foot === true) === of));
  return [
    `<table${attrs.join("")}>`,
    captionHtml(data.caption as Data | undefined, cell, writer),
    columnGroupsHtml(data.columnGroups, definitions, view),
    commentsIn(comments.head, cell),
    head,
    `<tbody${keptAttrs(tbody)}>${rows(body!)}</tbody>`,
    foot!.length > 0 || tfoot ? `<tfoot${keptAttrs(tfoot)}>${rows(foot!)}</tfoot>` : "",
    commentsIn(comments.end, cell),
    "</table>",
  ].join("");
}

const captionHtml = (caption: Data | undefined, cell: TableParts["cell"], writer: BlockWriter): string =>
  caption
    ? `<caption${keptAttrs(caption.attributes)}>${htmlOfBlocks(cell(caption.fragment), writer)}</caption>`
    : "";

/** Groups of columns; a width of the view stands at the column that says it. */
function columnGroupsHtml(groups: unknown, definitions: Definition[], view: Data): string {
  if (!Array.isArray(groups)) return "";
  const widths = (view.columnWidths ?? {}) as Data;
  let index = 0;
  return (groups as Data[])
    .map(({ attributes, columns, implied }) => {
      const sources = (Array.isArray(columns) ? (columns as Data[]) : []).map((attrs) => {
        const definition = definitions[index];
        index += Math.max(1, Number.parseInt(String(attrs.span), 10) || 1);
        if (definition?.widthInGroup !== true) return `<col${keptAttrs(attrs)}>`;
        const { width: _, ...others } = attrs;
        return `<col${htmlAttrs({ width: widths[definition.id] })}${keptAttrs(others)}>`;
      });
      return implied === true
        ? sources.join("")
        : `<colgroup${keptAttrs(attributes)}>${sources.join("")}</colgroup>`;
    })
    .join("");
}

/** The comments of a fragment: nothing else can stand between rows. */
const commentsIn = (fragment: unknown, cell: TableParts["cell"]): string =>
  fragment === undefined ? "" : cell(fragment).map(linesText).filter(isComments).join("");

function taken(kept: Data, name: string): string {
  const { [name]: value } = kept;
  delete kept[name];
  return typeof value === "string" ? keptAttrs({ [name]: value }) : "";
}

/** A flag as it was written, while that says the same. */
function flag(name: string, on: boolean, kept: Data): string {
  const { [name]: written } = kept;
  delete kept[name];
  if (on) return written === undefined || written === "false" ? ` ${name}` : keptAttrs({ [name]: written });
  return written === "false" ? ` ${name}="false"` : "";
}

function header(definition: Definition, view: Data, writer: BlockWriter): string {
  const { id, type, textAlignment, verticalAlignment, max, multiple } = definition;
  const shown = Array.isArray(view.columns) ? (view.columns as unknown[]).includes(id) : true;
  const kept = { ...(definition.attributes as Data | undefined) };
  const width = definition.widthInGroup === true ? undefined : (view.columnWidths as Data | undefined)?.[id];
  const attrs = [
    width === undefined ? taken(kept, "width") : htmlAttrs({ width }),
    htmlAttrs({ align: textAlignment === "left" ? undefined : textAlignment, valign: verticalAlignment }),
    flag("data-hidden", !shown, kept),
    view.targetDefinition === id ? " data-card-target" : "",
    view.coverDefinition === id ? " data-card-cover" : "",
    view.coverDefinitionDark === id ? " data-card-cover-dark" : "",
    type === "text" || type === "select" ? taken(kept, "data-type") : htmlAttrs({ "data-type": type }),
    htmlAttrs({ "data-max": max }),
    flag("data-multiple", type === "users" && multiple === true, kept),
    keptAttrs(kept),
  ];
  const select = type === "select" ? selectHtml(definition) : "";
  return `<th${attrs.join("")}>${htmlInline(titleOf(definition), writer)}${select}</th>`;
}

function selectHtml({ multiple, options, select }: Definition): string {
  const choices = ((options ?? []) as Data[]).map(
    ({ value, label, color, attributes }) =>
      `<option${htmlAttrs({ value, label, color })}${keptAttrs(attributes)}></option>`,
  );
  return `<select${multiple === true ? " multiple" : ""}${keptAttrs(select)}>${choices.join("")}</select>`;
}

function rowHtml(
  record: TableRecord,
  definitions: Definition[],
  cell: TableParts["cell"],
  writer: BlockWriter,
): string {
  const { values = {}, cells = {}, attributes, cellCount, surplus, comments } = record;
  const present = definitions.map(({ id }) => values[id] !== undefined || cells[id] !== undefined);
  const count =
    typeof cellCount === "number" ? Math.max(cellCount, present.lastIndexOf(true) + 1) : definitions.length;
  const sources = definitions.slice(0, count).map((definition) => {
    const held = values[definition.id];
    const { header, fragment, attributes: own, labels } = (cells[definition.id] ?? {}) as Data;
    const name = header === true ? "th" : "td";
    const { align, valign, ...others } = { ...alignment(definition), ...(own as Data | undefined) };
    const attrs = htmlAttrs({
      align,
      valign,
      "data-object-fit": (held as { objectFit?: string } | null | undefined)?.objectFit,
    });
    const content =
      held === undefined && fragment !== undefined
        ? htmlOfBlocks(cell(fragment), writer)
        : valueHtml(definition, held, { cell, labels: (labels ?? {}) as Data, writer });
    return `<${name}${attrs}${keptAttrs(others)}>${content}</${name}>`;
  });
  const more = surplus === undefined ? "" : `<td>${htmlOfBlocks(cell(surplus), writer)}</td>`;
  return `${commentsIn(comments, cell)}<tr${keptAttrs(attributes)}>${sources.join("")}${more}</tr>`;
}

/** Cells are aligned as their column is. */
const alignment = ({ textAlignment, verticalAlignment, headAligned }: Definition): Data =>
  headAligned === true
    ? {}
    : { align: textAlignment === "left" ? undefined : textAlignment, valign: verticalAlignment };

interface CellWriter {
  cell: TableParts["cell"];
  /** The words of links and options by their addresses and values. */
  labels: Data;
  writer: BlockWriter;
}

function valueHtml(definition: Definition, held: unknown, { cell, labels, writer }: CellWriter): string {
  if (definition.type === "text") return htmlOfBlocks(cell(held), writer);
  if (held === undefined || held === null) return "";
  const list = Array.isArray(held) ? held : [held];
  if (definition.type === "select") {
    const options = (definition.options ?? []) as Data[];
    const label = (one: unknown) =>
      own(labels, String(one)) ?? options.find((option) => option.value === one)?.label ?? one;
    return list
      .map((one) => `<span${htmlAttrs({ "data-option": one })}>${escapeHtml(String(label(one)))}</span>`)
      .join(", ");
  }
  const linked = (ref: Data) => {
    const url = addressOf(ref.kind === undefined && ref.ref ? ref.ref : ref, writer.address);
    return `<a${htmlAttrs({ href: url })}>${escapeHtml(own(labels, url) ?? labelOfAddress(url))}</a>`;
  };
  if (definition.type === "files" || definition.type === "users")
    return list.map((one) => linked(refText(definition.type, String(one)))).join(", ");
  return typeof held === "object" ? linked(held as Data) : escapeHtml(String(held));
}

const own = (labels: Data, key: string): string | undefined =>
  Object.hasOwn(labels, key) && typeof labels[key] === "string" ? (labels[key] as string) : undefined;

/** A path stands for itself, an id for the file or person. */
const refText = (type: string, id: string): Data => {
  if (/[/.:]/.test(id)) return { kind: "url", url: id };
  return type === "files" ? { kind: "file", file: id } : { kind: "user", user: id };
};
