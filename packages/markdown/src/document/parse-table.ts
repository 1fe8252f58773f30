import { type Block, type InlineNode, isText, paragraph, plainText } from "./nodes.js";
import { type Reader, readInline } from "./reader.js";
import { type Cell, columnId, type Definition, tableBlock, textColumn } from "./table-block.js";

/** A pipe table: every column is text. The closing token is consumed. */
export function pipeTable(reader: Reader): Block {
  const definitions: Definition[] = [];
  const rows: Cell[][] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    reader.at += 1;
    if (!token || token.type === "table_close") break;
    if (token.type === "th_open") {
      const align = /text-align:(center|right)/.exec(String(token.attrGet("style") ?? ""))?.[1];
      const nodes = readInline(reader, "th_close");
      definitions.push(
        textColumn(definitions.length, plainText(nodes), {
          ...titleNodes(nodes),
          ...(align && { textAlignment: align }),
        }),
      );
    } else if (token.type === "tr_open") rows.push([]);
    else if (token.type === "td_open") {
      const nodes = readInline(reader, "td_close");
      rows.at(-1)!.push({ blocks: nodes.length > 0 ? [paragraph(nodes)] : [] });
    }
  }
  const columns = definitions.map((_, index) => columnId(index));
  return tableBlock(definitions, rows.slice(1), { type: "grid", columns, hideHeader: false });
}

/** A title that is more than words. */
export const titleNodes = (nodes: InlineNode[]): { nodes?: InlineNode[] } =>
  nodes.every(
    (node) =>
      isText(node) && node.leaves.every(({ marks, text }) => marks.length === 0 && !text.includes("\n")),
  )
    ? {}
    : { nodes };
