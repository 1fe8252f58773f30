import { writeTag } from "@octavo/markdown/parser/tags";
import { cards } from "./cards.js";
import { readInfo, writeFence } from "./fences.js";
import type { Block, Fence, Part } from "./parts.js";
import { rewriteWords } from "./words.js";

export interface Rendering {
  /** Whether the text is MDX. */
  modules: boolean;
  /** Whether all that stands behind a language is a title, as Mintlify has it. */
  bareTitles: boolean;
}

const HINTS: Record<string, string> = {
  note: "info",
  info: "info",
  important: "info",
  abstract: "info",
  summary: "info",
  question: "info",
  callout: "info",
  todo: "info",
  quote: "info",
  example: "info",
  seealso: "info",
  admonition: "info",
  tip: "success",
  success: "success",
  check: "success",
  hint: "success",
  warning: "warning",
  caution: "warning",
  attention: "warning",
  danger: "danger",
  error: "danger",
  failure: "danger",
  bug: "danger",
};
const NO_CONTENT = new Set(["head", "doccardlist", "snippet"]);
const CODE_GROUPS = new Set(["codegroup", "code-group", "requestexample", "responseexample"]);
const FIELDS = new Set(["paramfield", "responsefield", "param"]);
const CARD_GROUPS = new Set(["cardgroup", "columns", "cards"]);

/** Parts of a text as lines of our markdown. */
export function renderParts(parts: Part[], to: Rendering): string[] {
  const lines: string[] = [];
  let isBlock = false;
  for (const part of parts) {
    const [first, ...rest] = renderPart(part, to);
    // A block brings the blank lines around it, which may be there.
    const isBlank: boolean = first === "" && lines.at(-1) === "" && (part.kind === "block" || isBlock);
    if (first !== undefined && !isBlank) lines.push(first);
    for (const line of rest) lines.push(line);
    isBlock = part.kind === "block" || (isBlock && isBlank);
  }
  return lines;
}

function renderPart(part: Part, to: Rendering): string[] {
  if (part.kind === "line") return [rewriteWords(part.text, to)];
  if (part.kind === "fence") return writeFence(part, readInfo(part.info, to));
  return spaced(indented(renderBlock(part, to), part.indent));
}

function renderBlock(block: Block, to: Rendering): string[] {
  const { name, attrs, parts } = block;
  const inner = () => outdented(renderParts(parts, to));
  const title = wordsOf(attrs, "title", "label");
  if (NO_CONTENT.has(name)) return [];
  if (name === "tabs") return around("tabs", {}, tabsIn(parts, to));
  if (name === "tabitem" || name === "tab")
    return tab(wordsOf(attrs, "label", "title", "value") ?? "Tab", inner());
  if (CODE_GROUPS.has(name)) return around("tabs", {}, codeTabs(parts, to));
  if (name === "steps") return around("stepper", {}, inner());
  if (name === "step") return around("step", {}, [...(title ? [`### ${title}`, ""] : []), ...inner()]);
  if (name === "accordion" || name === "expandable" || name === "details")
    return details(title ?? "Details", inner());
  if (name === "card") return cards([{ attrs, words: wordsIn(inner()) }]);
  if (CARD_GROUPS.has(name)) return cardGroup(parts, to);
  if (FIELDS.has(name)) return field(attrs, inner());
  if (name === "update") return [...(title ? [`## ${title}`, ""] : []), ...inner()];
  if (name === "codeblock") return codeBlock(block);
  const style = HINTS[name === "admonition" ? (wordsOf(attrs, "type") ?? "note") : name];
  if (style !== undefined) {
    const heading = title ? [`**${title}**`, ""] : [];
    return around("hint", { style }, [...heading, ...inner()]);
  }
  return inner();
}

const wordsOf = (attrs: Block["attrs"], ...names: string[]): string | undefined => {
  for (const name of names) {
    const value = attrs[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
};

const around = (name: string, attrs: Record<string, string>, lines: string[]): string[] => [
  writeTag(name, attrs),
  ...trimmed(lines),
  `{% end${name} %}`,
];

const tab = (title: string, lines: string[]) => around("tab", { title }, lines);

/** Tabs hold tabs and nothing else. */
function tabsIn(parts: Part[], to: Rendering): string[] {
  return parts.flatMap((part) =>
    part.kind === "block" && (part.name === "tabitem" || part.name === "tab") ? renderBlock(part, to) : [],
  );
}

function codeTabs(parts: Part[], to: Rendering): string[] {
  return parts.flatMap((part) => {
    if (part.kind !== "fence") return [];
    const { title, ...info } = readInfo(part.info, to);
    return tab(title ?? (info.language || "Code"), outdented(writeFence(part, info)));
  });
}

const details = (title: string, lines: string[]): string[] => [
  "<details>",
  "",
  `<summary>${title.replace(/&(?!\w+;)/g, "&amp;").replaceAll("<", "&lt;")}</summary>`,
  "",
  ...trimmed(lines),
  "",
  "</details>",
];

function cardGroup(parts: Part[], to: Rendering): string[] {
  const isCard = (part: Part): part is Block => part.kind === "block" && part.name === "card";
  const shown = parts
    .filter(isCard)
    .map((card) => ({ attrs: card.attrs, words: wordsIn(outdented(renderParts(card.parts, to))) }));
  const rest = parts.filter((part) => !isCard(part) && (part.kind !== "line" || part.text.trim() !== ""));
  return [...(shown.length > 0 ? cards(shown) : []), ...outdented(renderParts(rest, to))];
}

const wordsIn = (lines: string[]) => trimmed(lines).join("\n");

/** A parameter or a property, as an item of a list. */
function field(attrs: Block["attrs"], lines: string[]): string[] {
  const name = wordsOf(attrs, "path", "query", "body", "header", "name") ?? "";
  const type = wordsOf(attrs, "type");
  const parts = [
    `**\`${name.replaceAll("`", "")}\`**`,
    type && `*${type}*`,
    attrs.required !== undefined && "(required)",
  ];
  const byDefault = wordsOf(attrs, "default");
  const head = `* ${parts.filter(Boolean).join(" ")}${byDefault ? ` — default \`${byDefault.replaceAll("`", "")}\`` : ""}`;
  const body = trimmed(lines);
  return body.length > 0 ? [head, "", ...indented(body, "  ")] : [head];
}

/** Code that is given as the text of a component. */
function codeBlock({ attrs, parts }: Block): string[] {
  const body = parts.flatMap((part) => (part.kind === "line" ? [part.text] : []));
  const text = outdented(body)
    .join("\n")
    .replace(/^\s*\{`|`\}\s*$/g, "");
  const fence: Fence = { kind: "fence", indent: "", mark: "```", info: "", body: text.split("\n") };
  return writeFence(fence, {
    language: wordsOf(attrs, "language") ?? "",
    title: wordsOf(attrs, "title"),
    numbers: false,
  });
}

const indented = (lines: string[], indent: string) =>
  lines.map((line) => (line === "" ? line : indent + line));

/** Lines without the blanks that all of them begin with. */
function outdented(lines: string[]): string[] {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.trim() !== "") least = Math.min(least, /^[ \t]*/.exec(line)![0].length);
  return lines.map((line) => line.slice(Math.min(least, line.length)));
}

function trimmed(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** A block stands by itself. */
const spaced = (lines: string[]) => (lines.length > 0 ? ["", ...lines, ""] : []);
