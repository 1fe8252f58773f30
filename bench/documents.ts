import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "@octavo/markdown/document/parse";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { markdownFiles } from "./imports.js";
import { type Line, median } from "./report.js";
import { discard, generateRepository } from "./repositories.js";

const rounds = 5;

/** Markdown to document, against parsing the same text with a plain GFM parser. */
export function measureDocuments(corpus?: string): Line[] {
  const folder = corpus ?? generateRepository({ pages: 300, bytes: 6_500 });
  const texts = markdownFiles(folder).map((path) => readFileSync(join(folder, path), "utf8"));
  if (!corpus) discard(folder);
  const plain = unified().use(remarkParse).use(remarkGfm);
  const times: { ours: number[]; plain: number[] } = { ours: [], plain: [] };
  for (let round = -1; round < rounds; round++) {
    const [ours, other] = [
      elapsed(() => texts.forEach((text) => void parseDocument(text))),
      elapsed(() => texts.forEach((text) => void plain.parse(text))),
    ];
    if (round < 0) continue;
    times.ours.push(ours);
    times.plain.push(other);
  }
  return [
    {
      what: `markdown to document, ${texts.length} pages, against remark-parse with remark-gfm`,
      measured: `${median(times.ours).toFixed(0)} ms`,
      reference: `${median(times.plain).toFixed(0)} ms`,
      result: median(times.ours) / median(times.plain),
      target: { atMost: 2 },
    },
  ];
}

function elapsed(work: () => void): number {
  const since = performance.now();
  work();
  return performance.now() - since;
}
