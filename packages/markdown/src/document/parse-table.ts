import { blocksInLine } from "./line-blocks.js";
import { type Block, type InlineNode, isText, leaf, paragraph, textNode, verbatimMark } from "./nodes.js";
import { type Reader, readInline } from "./reader.js";
import { columnId, type Definition, type Row, tableBlock, textColumn } from "./table-block.js";
import { visibleLine } from "./visible-source.js";

/** A pipe table: every column is text. The closing token is consumed. */
export function pipeTable(reader: Reader): Block {
  const definitions: Definition[] = [];
  const rows: Row[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    reader.at += 1;
    if (!token || token.type === "table_close") break;
    if (token.type === "th_open") {
      const align = /text-align:(center|right)/.exec(String(token.attrGet("style") ?? ""))?.[1];
      const nodes = readInline(reader, "th_close");
      definitions.push(
        textColumn(definitions.length, visibleLine(nodes), {
          ...titleNodes(nodes),
          ...(align && { textAlignment: align }),
        }),
      );
    } else if (token.type === "tr_open") {
      const surplus = token.meta?.surplus as string | undefined;
      rows.push({ cells: [], ...(surplus !== undefined && { surplus: [paragraph([keptText(surplus)])] }) });
    } else if (token.type === "td_open") rows.at(-1)!.cells.push({ blocks: cellBlocks(reader) });
  }
  const columns = definitions.map((_, index) => columnId(index));
  return tableBlock(definitions, rows.slice(1), { type: "grid", columns, hideHeader: false });
}

const keptText = (source: string) => textNode([leaf(source, [verbatimMark(source)])]);

/** The blocks of the cell that is next: elements in it stand for some, else its words are a paragraph. */
function cellBlocks(reader: Reader): Block[] {
  const token = reader.tokens[reader.at];
  const blocks = token?.type === "inline" ? blocksInLine(token.children ?? [], reader) : undefined;
  const nodes = readInline(reader, "td_close", blocks !== undefined);
  return blocks ?? (nodes.length > 0 ? [paragraph(nodes)] : []);
}

/** A title that is more than words. */
export const titleNodes = (nodes: InlineNode[]): { nodes?: InlineNode[] } =>
  nodes.every(
    (node) =>
      isText(node) && node.leaves.every(({ marks, text }) => marks.length === 0 && !text.includes("\n")),
  )
    ? {}
    : { nodes };
