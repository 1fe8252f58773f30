import { closedBy, type HtmlTag, type HtmlToken, htmlText, readHtml } from "./html.js";
import { htmlBlocks, inlineHtml } from "./html-blocks.js";
import { type Block, type Data, plainText } from "./nodes.js";
import { titleNodes } from "./parse-table.js";
import type { Reader } from "./reader.js";
import { refOf } from "./refs.js";
import { type Cell, columnId, type Definition, tableBlock, textColumn } from "./table-block.js";

interface RawCell {
  tag: HtmlTag;
  inner: string;
}

/** An HTML table as a grid or cards; undefined when it has parts the document does not know. */
export function htmlTable({ attrs }: HtmlTag, inner: string, reader: Reader): Block | undefined {
  const {
    "data-view": view,
    "data-card-size": size,
    "data-header-hidden": hidden,
    "data-full-width": wide,
    "data-column-title-hidden": untitled,
    ...others
  } = attrs;
  const rows = rowsOf(readHtml(inner));
  if (!rows || rows.length === 0 || Object.keys(others).length > 0) return undefined;
  if (view !== undefined && view !== "cards") return undefined;
  const head = rows[0]!.every(({ tag }) => tag.name === "th") ? rows[0]! : undefined;
  const body = head ? rows.slice(1) : rows;
  const count = Math.max(...rows.map((row) => row.length));
  if (!head || head.length !== count || body.some((row) => row.some(({ tag }) => !plainCell(tag))))
    return undefined;
  const heads = head.map((cell, index) => column(cell, index, reader));
  if (heads.some((one) => one === undefined)) return undefined;
  const columns = heads as Column[];
  const cells = body.map((row) => row.map((cell, index) => cellOf(columns[index]!.definition, cell, reader)));
  if (cells.some((row) => row.some((cell) => cell === undefined))) return undefined;
  const shown = columns.filter(({ hidden: out }) => !out).map(({ definition }) => definition.id);
  const data = wide === undefined ? {} : { fullWidth: wide !== "false" };
  const definitions = columns.map(({ definition }) => definition);
  return tableBlock(definitions, cells as Cell[][], view === "cards" ? cards() : grid(), data);

  function grid(): Data {
    const widths = columns
      .filter(({ width }) => width !== undefined)
      .map(({ definition, width }) => [definition.id, width]);
    return {
      type: "grid",
      columns: shown,
      ...(widths.length > 0 && { columnWidths: Object.fromEntries(widths) }),
      hideHeader: hidden !== undefined && hidden !== "false",
    };
  }

  function cards(): Data {
    const role = (name: string) => columns.find(({ roles }) => roles.includes(name))?.definition.id;
    const [target, cover, dark] = ["target", "cover", "cover-dark"].map(role);
    return {
      type: "cards",
      cardSize: size === "large" ? "large" : "medium",
      columns: shown,
      ...(target && { targetDefinition: target }),
      ...(cover && { coverDefinition: cover }),
      ...(dark && { coverDefinitionDark: dark }),
      ...(untitled !== undefined && { hideColumnTitle: untitled !== "false" }),
    };
  }
}

const plainCell = ({ name, attrs }: HtmlTag): boolean =>
  name === "td" && Object.keys(attrs).every((key) => ["align", "valign", "data-object-fit"].includes(key));

function rowsOf(tokens: HtmlToken[]): RawCell[][] | undefined {
  const rows: RawCell[][] = [];
  let cell: { tag: HtmlTag; parts: string[] } | undefined;
  for (const token of tokens) {
    if (cell) {
      if ("name" in token && token.closing && token.name === cell.tag.name) {
        rows.at(-1)?.push({ tag: cell.tag, inner: cell.parts.join("") });
        cell = undefined;
      } else if ("name" in token && ["table", "tr", "td", "th"].includes(token.name)) return undefined;
      else cell.parts.push("text" in token ? token.text : token.source);
    } else if ("text" in token) {
      if (token.text.trim() !== "") return undefined;
    } else if (token.name === "tr" && !token.closing) rows.push([]);
    else if ((token.name === "th" || token.name === "td") && !token.closing && rows.length > 0)
      cell = { tag: token, parts: [] };
    else if (!["thead", "tbody", "tr"].includes(token.name)) return undefined;
    if (
      "name" in token &&
      !cell &&
      ["thead", "tbody", "tr"].includes(token.name) &&
      Object.keys(token.attrs).length > 0
    )
      return undefined;
  }
  return cell ? undefined : rows;
}

interface Column {
  definition: Definition;
  width?: number;
  hidden: boolean;
  roles: string[];
}

const FLAGS = ["data-hidden", "data-card-target", "data-card-cover", "data-card-cover-dark"];
const KNOWN = [...FLAGS, "width", "align", "valign", "data-type", "data-max", "data-multiple"];

function column({ tag, inner }: RawCell, index: number, reader: Reader): Column | undefined {
  const { attrs } = tag;
  if (!Object.keys(attrs).every((key) => KNOWN.includes(key))) return undefined;
  const width = attrs.width === undefined ? undefined : Number(attrs.width.replace(/px$/, ""));
  if (width !== undefined && !Number.isFinite(width)) return undefined;
  const select = closedBy(inner, /<select( multiple(?:="")?)?>/i, "</select>");
  const options = select && { multiple: select.match[1] !== undefined, source: select.inner };
  const titled = select ? inner.slice(0, select.match.index) : inner;
  const nodes = inlineHtml(titled.trim(), reader);
  if (!nodes) return undefined;
  const definition = definitionOf(index, plainText(nodes), attrs, options);
  const roles = FLAGS.filter((name) => name.startsWith("data-card-") && name in attrs).map((name) =>
    name.slice(10),
  );
  return (
    definition && {
      definition: { ...definition, ...titleNodes(nodes) },
      ...(width !== undefined && { width }),
      hidden: "data-hidden" in attrs,
      roles,
    }
  );
}

function definitionOf(
  index: number,
  title: string,
  attrs: HtmlTag["attrs"],
  options: { multiple: boolean; source: string } | undefined,
): Definition | undefined {
  const base = { id: columnId(index), title };
  const type = attrs["data-type"] ?? (options ? "select" : "text");
  if (type === "select") {
    const found = options ? optionsOf(options.source) : [];
    return found && { ...base, type, multiple: options?.multiple === true, options: found };
  }
  if (options) return undefined;
  if (type === "text") {
    const { align, valign } = attrs;
    const more = { ...(align && { textAlignment: align }), ...(valign && { verticalAlignment: valign }) };
    return textColumn(index, title, more);
  }
  if (type === "rating") return { ...base, type, max: Number(attrs["data-max"] ?? 5) };
  if (type === "users") return { ...base, type, multiple: "data-multiple" in attrs };
  return ["number", "checkbox", "files", "content-ref", "image"].includes(type)
    ? { ...base, type }
    : undefined;
}

const OPTION = /<option ([^<>]*)>([^<>]*)<\/option>/gi;

function optionsOf(source: string): Data[] | undefined {
  if (source.replace(OPTION, "").trim() !== "") return undefined;
  return [...source.matchAll(OPTION)].map(([, attrs, label]) => {
    const read = Object.fromEntries(
      [...attrs!.matchAll(/(value|color)="([^"]*)"/g)].map(([, key, value]) => [key, htmlText(value!)]),
    );
    return { value: read.value ?? "", label: htmlText(label!), color: read.color ?? "" };
  });
}

const FITS = ["contain", "fill", "cover"];
const LINK = /<a href="([^"]*)">([^<>]*)<\/a>/gi;

/** The value of a cell by the type of its column; undefined when it is written in another way. */
function cellOf(definition: Definition, { tag, inner: source }: RawCell, reader: Reader): Cell | undefined {
  const objectFit = tag.attrs["data-object-fit"];
  if (objectFit !== undefined && (definition.type !== "image" || !FITS.includes(objectFit))) return undefined;
  const text = htmlText(source).trim();
  const plain = !source.includes("<");
  const { resolve } = reader;
  switch (definition.type) {
    case "text": {
      const blocks = htmlBlocks(source, reader);
      return blocks && { blocks };
    }
    case "number":
    case "rating":
      if (text === "") return { value: undefined };
      return plain && Number.isFinite(Number(text)) && String(Number(text)) === text
        ? { value: Number(text) }
        : undefined;
    case "checkbox":
      if (text === "") return { value: undefined };
      return text === "true" || text === "false" ? { value: text === "true" } : undefined;
    case "select": {
      const found = [...source.matchAll(/<span data-option="([^"]*)">([^<>]*)<\/span>/gi)];
      if (source.replace(/<span data-option="([^"]*)">[^<>]*<\/span>/gi, "").replace(/[,\s]/g, "") !== "")
        return undefined;
      const values = found.map(([, value]) => htmlText(value!));
      if (found.some(([, value, label]) => !labelled(definition, htmlText(value!), htmlText(label!))))
        return undefined;
      return { value: values.length === 0 ? undefined : definition.multiple ? values : values[0] };
    }
    default: {
      const links = [...source.matchAll(LINK)];
      const rest = htmlText(source.replace(LINK, "")).replace(/[,\s]/g, "");
      if (links.length === 0 && rest === "") return { value: undefined };
      if (links.some(([, href, words]) => !htmlText(href!).endsWith(htmlText(words!)))) return undefined;
      const refs = links.map(([, href]) => refOf(htmlText(href!), resolve));
      if (definition.type === "files" || definition.type === "users") {
        if (rest !== "") return undefined;
        const words = refs.map((ref) => String(ref.file ?? ref.user ?? ref.url ?? ""));
        return { value: words };
      }
      if (rest !== "" || refs.length !== 1) {
        return links.length === 0 && plain && !/\s/.test(text) ? { value: refOf(text, resolve) } : undefined;
      }
      return { value: objectFit === undefined ? refs[0] : { ref: refs[0], objectFit } };
    }
  }
}

/** Only the label of the option itself can be written again. */
const labelled = ({ options }: Definition, value: string, label: string): boolean =>
  ((options as Data[]).find((option) => option.value === value)?.label ?? value) === label;
