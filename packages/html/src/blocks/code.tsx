import { type Block, blocksOf, inlinesOf, isText, linesText } from "@octavo/markdown/document/nodes";
import { visibleSource } from "@octavo/markdown/document/visible-source";
import { diagram } from "../code/diagram.js";
import { type Line, plainLines, tokenLines } from "../code/lines.js";
import { isSet, textIn } from "../data.js";
import { leaf } from "../marks/index.js";
import type { Html, Scope } from "../scope.js";

/** Lines of code that are laid out when they come into view: how high they will be is known from their number. */
const LONG_LINES = 8;

/** Code with its title, colors and numbers of lines. Source that the document has no block for is shown as its words. */
export function code(block: Block, scope: Scope): Html {
  const { data } = block;
  if (data?.verbatim === true) return words(visibleSource(linesText(block), data));
  const syntax = textIn(data, "syntax") ?? "";
  if (syntax.toLowerCase() === "mermaid") return diagram(linesText(block), scope);
  const title = textIn(data, "title");
  const wrap = textIn(data, "overflow") === "wrap";
  const lines = linesText(block).split("\n").length;
  const label = `${scope.page.words.code}${syntax && ` (${syntax})`}`;
  return (
    <figure
      class={wrap ? "code wrap" : "code"}
      aria-label={title === undefined ? label : undefined}
      style={!wrap && lines >= LONG_LINES ? `--lines:${lines}` : undefined}
    >
      {title !== undefined && <figcaption>{title}</figcaption>}
      <pre tabIndex={wrap ? undefined : 0} data-syntax={syntax || undefined}>
        {drawCode(block, syntax, scope)}
      </pre>
    </figure>
  );
}

/** A line by itself, as nothing but another block of code holds it. */
export const codeLine = (block: Block, scope: Scope): Html => <code>{scope.inlines(block.nodes)}</code>;

const words = (text: string): Html => {
  const parts = text.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  return parts.map((part) => <p>{leaf({ object: "leaf", text: part.trim(), marks: [] })}</p>);
};

/** Lines are elements only where they have numbers or one stands out. */
function drawCode(block: Block, syntax: string, scope: Scope): Html {
  const blocks = blocksOf(block);
  const numbered = isSet(block.data, "lineNumbers");
  const plain = blocks.every((line) => inlinesOf(line).every((node) => isText(node) && isUnmarked(node)));
  const text = plain ? linesText(block) : "";
  const tokens = plain ? scope.highlight(text, syntax) : undefined;
  const marked = blocks.map(({ data }) => data?.highlighted === true);
  if (plain && !numbered && !marked.includes(true))
    return tokens ? <code dangerouslySetInnerHTML={{ __html: written(tokens) }} /> : <code>{text}</code>;
  const line = (index: number) => ({
    class: marked[index] ? "line hot" : "line",
    "data-n": numbered ? index + 1 : undefined,
  });
  const lines = plain
    ? (tokens ? tokenLines(tokens) : plainLines(text)).map((pieces, index) => (
        <span {...line(index)} dangerouslySetInnerHTML={{ __html: written(pieces) }} />
      ))
    : blocks.map(({ nodes }, index) => <span {...line(index)}>{scope.inlines(nodes)}</span>);
  return <code>{lines.flatMap((one, index) => (index === 0 ? [one] : ["\n", one]))}</code>;
}

const isUnmarked = ({ leaves }: { leaves: { marks: unknown[] }[] }) =>
  leaves.every(({ marks }) => marks.length === 0);

/** Pieces of code as HTML. An element of its own for each of them takes longer than all else that a page with much code draws. */
const written = (line: Line): string =>
  line
    .map(({ text, kind }) => (kind ? `<span class="${kind}">${escaped(text)}</span>` : escaped(text)))
    .join("");

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

/** A text as it stands in an element. */
const escaped = (text: string): string => text.replace(/[&<"]/g, (character) => ESCAPES[character]!);
