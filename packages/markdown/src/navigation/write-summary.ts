import { stringify } from "yaml";
import { entityAt } from "../text/entities.js";
import { escapeTitle, oneLine } from "../text/inline.js";
import type { Summary, SummaryItem } from "./summary.js";

/** Writes a SUMMARY.md that parseSummary reads back to the same summary. */
export function writeSummary(summary: Summary): string {
  const lines = [`# ${titleLine(summary.title ?? "Table of contents")}`, ""];
  let place: "start" | "items" | "group" = "start";
  for (const node of summary.nodes) {
    if (node.kind === "group") {
      if (place === "items") lines.push("");
      const anchor = node.slug ? ` <a href="#${attribute(node.slug)}" id="${attribute(node.slug)}"></a>` : "";
      lines.push(`## ${titleLine(node.title)}${anchor}`, "");
      writeItems(lines, node.children);
      if (node.children.length > 0) lines.push("");
      place = "group";
    } else {
      if (place === "group") lines.push("***", "");
      writeItems(lines, [node]);
      place = "items";
    }
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function writeItems(lines: string[], items: SummaryItem[]): void {
  const stack = items.map((item) => ({ item, indent: "" })).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { item, indent } = next;
    lines.push(...itemLines(item).map((line, index) => `${indent}${index === 0 ? "* " : "  "}${line}`));
    for (const child of item.children.toReversed()) stack.push({ item: child, indent: `${indent}  ` });
  }
}

function itemLines(item: SummaryItem): string[] {
  if (item.kind === "computed") {
    const yaml = stringify(item.source, {
      lineWidth: 0,
      blockQuote: false,
      doubleQuotedAsJSON: true,
    }).trimEnd();
    const longest = (yaml.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
    const fence = "`".repeat(longest + 1);
    return [`${fence}yaml`, ...yaml.split("\n"), fence];
  }
  const address = item.kind === "link" ? item.url : pathAddress(item.file ?? "");
  const label = item.linkTitle ? ` "${escaped(oneLine(item.linkTitle), '"')}"` : "";
  return [`[${titleLine(item.title)}](${destination(address)}${label})`];
}

/** `%`, `#` and `?` would mean something else in an address; a colon early on would look like a scheme. */
function pathAddress(file: string): string {
  const address = file.replace(
    /[%#?]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return /^[^/]*:/.test(address) ? `./${address}` : address;
}

function destination(address: string): string {
  const text = escaped(oneLine(address), "<>");
  return text === "" || /[\s()<>]/.test(text) ? `<${text}>` : text;
}

/** Backslashes before `marks`, before backslashes, and before what would read as a character reference. */
function escaped(text: string, marks: string): string {
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    const needed =
      character === "\\" || marks.includes(character) || (character === "&" && entityAt(text, at));
    out += needed ? `\\${character}` : character;
  }
  return out;
}

const titleLine = (title: string): string => escapeTitle(oneLine(title));
const attribute = (text: string): string =>
  text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
