import { expect, test } from "vitest";
import { parseDocument } from "./parse.js";
import { renderDocument } from "./render.js";

/** Objects in the document: what its size in memory grows with. */
function objectsOf(document: unknown): number {
  const open = [document];
  let count = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    count += 1;
    for (const inner of Object.values(one)) open.push(inner);
  }
  return count;
}

const rows = (count: number, row: string) => `${row}\n`.repeat(count);

test.each([
  ["cells", `${"|a".repeat(1000)}\n${"|-".repeat(1000)}\n${rows(150, "|b".repeat(1000))}`],
  ["marks not closed", `${"*a_ ".repeat(475_000)}\n`],
  ["marks in many paragraphs", rows(20_000, `${"*a* ".repeat(20)}\n`)],
  ["cells of HTML", `<table><tr>${"<td></td>".repeat(200_000)}</tr></table>\n`],
  ["empty lines of code", `\`\`\`\n${"\n".repeat(600_000)}\`\`\`\n`],
  ["items", rows(200_000, "*")],
  ["paragraphs", rows(200_000, "a\n")],
  ["tags", rows(50_000, "{% hint %}")],
])(
  "a page full of %s makes a bounded document and stays as it is written",
  (_, markdown) => {
    const document = parseDocument(markdown, { body: true });
    expect(objectsOf(document)).toBeLessThan(1_500_000);
    const kept = renderDocument(document).replace(/[\s\\*_]+/g, "");
    expect(kept === markdown.replace(/[\s\\*_]+/g, "")).toBe(true);
  },
  60_000,
);
