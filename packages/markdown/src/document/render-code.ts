import { escapeHtml, htmlAttrs } from "../parser/html.js";
import { writeTag } from "../parser/tags.js";
import { oneLine } from "./code.js";
import {
  type Block,
  blocksOf,
  type Inline,
  inlinesOf,
  isEmptyLine,
  isText,
  linesText,
  plainText,
} from "./nodes.js";
import type { Writer } from "./render-inline.js";

/** Code as a fence, in `{% code %}` when it has options, as `<pre>` when its lines hold more than words. */
export function renderCode({ data = {}, nodes = [] }: Block, writer: Writer): string {
  const lines = blocksOf({ nodes });
  const { syntax, info, verbatim, ...options } = data;
  if (verbatim === true) return linesText({ object: "block", type: "code", nodes });
  const rich = lines.some(
    (line) => line.data?.highlighted === true || (line.nodes ?? []).some((node) => !isText(node as Inline)),
  );
  if (rich) return pre(syntax, options, lines, writer);
  const source = lines.flatMap((line) => plainText(line.nodes ?? []).split(/\r?\n/));
  const block = fence(words(syntax), words(info), source);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return Object.keys(given).length === 0 ? block : `${writeTag("code", given)}\n${block}\n{% endcode %}`;
}

/** Code as an element, where there are no fences. Lines that would be taken for something else are on one with the others. */
export function codeHtml({ data = {}, nodes = [] }: Block, writer: Writer): string {
  const { syntax, info: _, ...options } = data;
  const source = pre(syntax, options, blocksOf({ nodes }), writer);
  return BEGINS_BLOCK.test(source) ? source.replaceAll("\n", "&#xa;") : source;
}
const BEGINS_BLOCK = /\n[ \t]*(?:[`~#|=*+:[-]|\{%|\d+[.)]|\n|&#|<(?!\/?(?:strong|code)>))/;

const words = (value: unknown): string =>
  typeof value === "string"
    ? oneLine(value).replace(/\\(?=[!-/:-@[-`{-~])|&(?=[#A-Za-z])/g, (one) =>
        one === "&" ? "&amp;" : "\\\\",
      )
    : "";

function fence(syntax: string, info: string, lines: string[]): string {
  const first = [syntax, info].filter((part) => part !== "").join(" ");
  const mark = first.includes("`") ? "~" : "`";
  let longest = 2;
  for (const line of lines) {
    const run = mark === "`" ? /^[ \t]*(`+)/.exec(line) : /^[ \t]*(~+)/.exec(line);
    longest = Math.max(longest, run?.[1]?.length ?? 0);
  }
  const marks = mark.repeat(longest + 1);
  return [marks + first, ...lines, marks].join("\n");
}

function pre(syntax: unknown, options: Record<string, unknown>, lines: Block[], writer: Writer): string {
  const language = typeof syntax === "string" && syntax !== "" ? syntax.replace(/\s+/g, "-") : undefined;
  const attrs = htmlAttrs({
    class: language && `language-${language}`,
    "data-title": options.title,
    "data-overflow": options.overflow,
    "data-line-numbers": bool(options.lineNumbers),
    "data-full-width": bool(options.fullWidth),
    "data-expandable": bool(options.expandable),
  });
  const code = htmlAttrs({ class: language && `lang-${language}` });
  const body = lines.map((line, index) => preLine(line, index === lines.length - 1, writer)).join("");
  const last = lines.at(-1) ?? {};
  const open =
    lines.length > 1 && isEmptyLine(inlinesOf(last as Block)) && (last as Block).data?.highlighted !== true
      ? "\n"
      : "";
  return `<pre${attrs}><code${code}>${body}${open}</code></pre>`;
}

const bool = (value: unknown): unknown => (typeof value === "boolean" ? String(value) : value);

function preLine(line: Block, last: boolean, writer: Writer): string {
  const parts = (line.nodes ?? []).map((node) => {
    if (isText(node as Inline)) return escapeHtml(plainText([node]).replace(/\r?\n/g, " "));
    const { type, data, fragments, nodes = [] } = node as Inline;
    if (type === "expression")
      return `<code class="expression">${escapeHtml(String(data?.expression ?? ""))}</code>`;
    if (type !== "annotation") return escapeHtml(plainText(nodes));
    const label = writer.footnote(fragments?.[0]);
    return `<a data-footnote-ref href="#user-content-fn-${label}">${escapeHtml(plainText(nodes))}</a>`;
  });
  const end = last ? "" : "\n";
  return line.data?.highlighted === true ? `<strong>${parts.join("")}${end}</strong>` : parts.join("") + end;
}
