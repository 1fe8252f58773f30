import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Findings, findingsIn } from "./document-laws.js";

/**
 * `npm run check-documents -- <folder> [<folder> …]`: reads every page below the folders as a rich document and writes
 * it again, and names the pages where that breaks a law (`document-laws.ts`); counts the pages of which the document
 * holds a part as source.
 */
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("Usage: npm run check-documents -- <folder> [<folder> …]");
  process.exit(64);
}

const counts = { pages: 0, wrong: 0, keeping: 0, blocks: 0, pieces: 0 };
for (const folder of folders.map((name) => resolve(name))) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".md")) continue;
    const path = join(entry.parentPath, entry.name);
    const { broken, kept } = findings(await readFile(path, "utf8"));
    counts.pages += 1;
    counts.wrong += broken.length > 0 ? 1 : 0;
    counts.keeping += kept.blocks + kept.pieces > 0 ? 1 : 0;
    counts.blocks += kept.blocks;
    counts.pieces += kept.pieces;
    for (const law of broken) console.error(`${path.slice(folder.length + 1)}: ${law}`);
  }
}
const { pages, wrong, keeping, blocks, pieces } = counts;
console.log(`${pages} pages, ${wrong} differ`);
console.log(`${keeping} keep source: ${blocks} blocks, and ${pieces} pieces in lines of text`);
process.exitCode = wrong > 0 ? 1 : 0;

/** One page that can not be read hides nothing about the others. */
function findings(page: string): Findings {
  try {
    return findingsIn(page);
  } catch (error) {
    return { broken: [`can not be read: ${String(error)}`], kept: { blocks: 0, pieces: 0 } };
  }
}
