import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const docs = resolve(import.meta.dirname, "../docs");

/**
 * Pages of about so many bytes, in the words that people wrote: paragraphs, lists, tables and code of the project's own
 * documentation (or of another folder) in another order on each page. Links lead to other pages.
 */
export function realTexts(pages: number, bytes: number, folder = docs): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".md"),
  );
  const blocks = files.sort().flatMap((path) => blocksOf(readFileSync(join(folder, path), "utf8")));
  return Array.from({ length: pages }, (_, page) => {
    const parts = [`# Page ${page}`];
    for (let step = 0, length = 0; length < bytes; step++) {
      // Steps of a prime number, which is another one on each page: no two pages have the same neighbours.
      const block = blocks[(page * 7_919 + step * (101 + 2 * (page % 997))) % blocks.length]!;
      parts.push(block.replaceAll(LINK, `](page-${(page * 31 + step * 17 + 1) % pages}.md)`));
      length += block.length + 2;
    }
    return `${parts.join("\n\n")}\n`;
  });
}

/** A link to a file beside this one, or to a place in it. */
const LINK = /\]\((?!https?:)[^)\s]*\)/g;

/** What stands between empty lines, without headings of the first level and what one long block would be. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  const open: string[] = [];
  let inCode = false;
  for (const line of [...text.split("\n"), ""]) {
    if (line.startsWith("```")) inCode = !inCode;
    if (line !== "" || inCode) open.push(line);
    else if (open.length > 0) blocks.push(open.splice(0).join("\n"));
  }
  return blocks.filter((block) => block.length > 40 && block.length < 2_000 && !/^(# |---)/.test(block));
}

/** Writes pages to a temporary folder as a repository with a SUMMARY.md: chapters of twenty. */
export function repositoryOf(texts: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "octavo-bench-"));
  mkdirSync(folder, { recursive: true });
  const summary = ["# Table of contents", ""];
  for (const [page, text] of texts.entries()) {
    writeFileSync(join(folder, `page-${page}.md`), text);
    summary.push(`${page % 20 === 0 ? "" : "  "}* [Page ${page}](page-${page}.md)`);
  }
  writeFileSync(join(folder, "SUMMARY.md"), `${summary.join("\n")}\n`);
  return folder;
}
