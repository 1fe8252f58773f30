import { htmlText } from "../parser/html.js";
import { htmlBlocks } from "./html-blocks.js";
import type { RawCell } from "./html-rows.js";
import type { InlineContext } from "./inline-context.js";
import type { Data } from "./nodes.js";
import { refOf } from "./refs.js";
import { type Cell, type Definition, labelOfAddress } from "./table-block.js";

const FITS = ["contain", "fill", "cover"];
const LINK = /<a href="([^"]*)">([^<>]*)<\/a>/gi;
const OPTION = /<span data-option="([^"]*)">([^<>]*)<\/span>/gi;

/** What a cell holds, by the type of its column: a value, or blocks when it is written in another way. */
export function cellOf(definition: Definition, { tag, inner }: RawCell, context: InlineContext): Cell {
  const { "data-object-fit": fit, align, valign, ...others } = tag.attrs;
  const fits = definition.type === "image" && fit !== undefined && FITS.includes(fit);
  const attributes = {
    ...(align !== undefined && align !== (definition.textAlignment ?? "left") && { align }),
    ...(valign !== undefined && valign !== definition.verticalAlignment && { valign }),
    ...(fit !== undefined && !fits && { "data-object-fit": fit }),
    ...others,
  };
  const more: Data = {
    ...(tag.name === "th" && { header: true }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
  const blocks = () => htmlBlocks(inner, context);
  if (definition.type === "text") return { blocks: blocks(), more };
  const found = readValue(definition, inner, context);
  if (!found) return { blocks: blocks(), more, unread: true };
  const { value, labels } = found;
  const shown = fits && value !== undefined ? { ref: value, objectFit: fit } : value;
  return { value: shown, more: { ...more, ...(labels && { labels }) } };
}

interface Found {
  value: unknown;
  /** The words of links and options, where they are not those that are written by themselves. */
  labels?: Record<string, string>;
}

function readValue(definition: Definition, source: string, context: InlineContext): Found | undefined {
  const text = htmlText(source).trim();
  const plain = !source.includes("<");
  switch (definition.type) {
    case "number":
    case "rating":
      if (text === "") return { value: undefined };
      return plain && Number.isFinite(Number(text)) && String(Number(text)) === text
        ? { value: Number(text) }
        : undefined;
    case "checkbox":
      if (text === "") return { value: undefined };
      return text === "true" || text === "false" ? { value: text === "true" } : undefined;
    case "select":
      return optionsIn(definition, source);
    default:
      return linksIn(definition, source, text, context);
  }
}

function optionsIn(definition: Definition, source: string): Found | undefined {
  if (source.replace(OPTION, "").replace(/[,\s]/g, "") !== "") return undefined;
  const found = [...source.matchAll(OPTION)].map(
    ([, value, label]) => [htmlText(value!), htmlText(label!)] as const,
  );
  const values = found.map(([value]) => value);
  if (values.length > 1 && !definition.multiple) return undefined;
  const known = (value: string) =>
    (definition.options as Data[]).find((option) => option.value === value)?.label ?? value;
  const labels = found.filter(([value, label]) => label !== known(value));
  return {
    value: values.length === 0 ? undefined : definition.multiple ? values : values[0],
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
  };
}

function linksIn(
  { type }: Definition,
  source: string,
  text: string,
  { resolve }: InlineContext,
): Found | undefined {
  const links = [...source.matchAll(LINK)].map(
    ([, href, words]) => [htmlText(href!), htmlText(words!)] as const,
  );
  const rest = htmlText(source.replace(LINK, "")).replace(/[,\s]/g, "");
  if (links.length === 0 && rest === "") return { value: undefined };
  const refs = links.map(([href]) => refOf(href, resolve));
  const labels = links.filter(([href, words]) => words !== labelOfAddress(href));
  const kept = labels.length > 0 ? { labels: Object.fromEntries(labels) } : {};
  if (type === "files" || type === "users") {
    const names = refs.map(({ file, user, url }) => file ?? user ?? url);
    return rest === "" && names.every((name) => typeof name === "string")
      ? { value: names, ...kept }
      : undefined;
  }
  if (rest === "" && refs.length === 1) return { value: refs[0], ...kept };
  return links.length === 0 && !source.includes("<") && !/\s/.test(text)
    ? { value: refOf(text, resolve) }
    : undefined;
}
