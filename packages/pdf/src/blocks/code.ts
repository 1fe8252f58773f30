import { plainLines, tokenLines } from "@octavo/html/code/lines";
import { isSet, textIn } from "@octavo/html/data";
import { type Block, blocksOf, inlinesOf, isText, linesText } from "@octavo/markdown/document/nodes";
import { visibleSource } from "@octavo/markdown/document/visible-source";
import { type Content, element } from "../element.js";
import type { Scope } from "../scope.js";
import { codeWords, words } from "../words.js";

/** More lines than these are set without colors: nobody reads them for those. */
const MOST_COLORED = 2_000;

/** Code with its title, colors and numbers of lines. Source that the document has no block for is shown as its words. */
export function code(block: Block, scope: Scope): Content {
  const { data } = block;
  if (data?.verbatim === true) return plain(visibleSource(linesText(block), data));
  const syntax = textIn(data, "syntax") ?? "";
  const title = textIn(data, "title");
  const blocks = blocksOf(block);
  const source = linesText(block);
  return element("code", {
    ...(title !== undefined && { title }),
    syntax,
    source,
    lines: linesOf(blocks, source, syntax, scope),
    numbered: isSet(data, "lineNumbers"),
    hot: blocks.flatMap((line, index) => (line.data?.highlighted === true ? [index + 1] : [])),
  });
}

function linesOf(blocks: Block[], source: string, syntax: string, scope: Scope): Content[] {
  const isPlain = blocks.every((line) => inlinesOf(line).every((node) => isText(node) && isUnmarked(node)));
  if (!isPlain) return blocks.map(({ nodes }) => scope.inlines(nodes));
  const tokens = blocks.length > MOST_COLORED ? undefined : scope.highlight(source, syntax);
  return (tokens ? tokenLines(tokens) : plainLines(source)).map((line) =>
    line.map(({ text, kind }) =>
      kind ? element("colored", { kind, body: codeWords(text) }) : codeWords(text),
    ),
  );
}

const isUnmarked = ({ leaves }: { leaves: { marks: unknown[] }[] }) =>
  leaves.every(({ marks }) => marks.length === 0);

/** Source in paragraphs. */
const plain = (text: string): Content =>
  text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => element("paragraph", { body: words(part.trim()) }));

/** A line by itself, as nothing but another block of code holds it. */
export const codeLine = (block: Block, scope: Scope): Content =>
  element("mark", { marks: ["code"], body: scope.inlines(block.nodes) });

/** A diagram by its source in Mermaid, which says what is in it also where nothing draws it. */
export const diagram = (source: string): Content => {
  const lines = source.split("\n").map(codeWords);
  return element("code", { syntax: "mermaid", source, lines, numbered: false, hot: [] });
};
