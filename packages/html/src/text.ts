import { type Block, blocksOf, type JSONDocument, plainText } from "@octavo/markdown/document/nodes";

/** The first words of a document's paragraphs, at most so many characters: what a page says where it describes itself nowhere. */
export function summaryOf(document: JSONDocument, most = 160): string {
  const open = [...document.nodes].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.type === "paragraph") {
      const words = plainText(next.nodes ?? [])
        .replace(/\s+/g, " ")
        .trim();
      if (words.length > 20) return shortened(words, most);
    } else if (OPENED.has(next.type)) for (const inner of blocksOf(next).reverse()) open.push(inner);
  }
  return "";
}

const OPENED = new Set<Block["type"]>(["hint", "columns", "column", "stepper", "stepper-step", "blockquote"]);

/** A text with at most so many characters, cut between words where it has some. */
export function shortened(text: string, most: number): string {
  const characters = [...text.slice(0, most * 2)];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join("");
  const at = cut.lastIndexOf(" ");
  return `${at > most / 2 ? cut.slice(0, at) : cut}…`;
}
