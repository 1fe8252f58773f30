import { readFileSync } from "node:fs";
import { join } from "node:path";

// What a visitor may see of a folder of documentation, read from its files with nothing of Octavo's own: the list of its
// pages, the condition at the head of each, and the lines between `{% if %}` and `{% endif %}`.

/** Whether a condition, as it is written, is met. */
export type Meets = (condition: string) => boolean;

export interface ExpectedPage {
  title: string;
  /** Plain sentences, each a line of the source, that the visitor reads. */
  says: string[];
  /** Those that are for others. */
  hides: string[];
}

const ITEM = /^(?<indent> *)\* \[(?<title>[^\]]+)\]\(<?(?<file>[^)>]+\.md)>?\)/;
const CONDITION = /^---\n(?:.*\n)*?if: (.+)\n(?:.*\n)*?---\n/;
const INCLUDE = /\{% include "([^"]+)" %\}/g;
const SENTENCE = /^\p{Lu}[\p{L} ,;]+\.$/u;

/** The pages of a folder that a visitor sees, in their order, and the titles of those that are kept from them. */
export function audienceOf(folder: string, meets: Meets): { seen: ExpectedPage[]; kept: ExpectedPage[] } {
  const [seen, kept]: ExpectedPage[][] = [[], []];
  let hiddenAt = Infinity;
  for (const line of readFileSync(join(folder, "SUMMARY.md"), "utf8").split("\n")) {
    const { indent, title, file } = ITEM.exec(line)?.groups ?? {};
    if (file === undefined) continue;
    const source = sourceOf(folder, file.replaceAll("\\", ""));
    const condition = CONDITION.exec(source)?.[1];
    if (indent!.length <= hiddenAt) hiddenAt = Infinity;
    const isHidden = hiddenAt !== Infinity || (condition !== undefined && !meets(condition));
    if (isHidden) hiddenAt = Math.min(hiddenAt, indent!.length);
    (isHidden ? kept : seen)!.push({ title: title!, ...sentencesOf(source, meets) });
  }
  return { seen: seen!, kept: kept! };
}

/** A page with what it includes. */
const sourceOf = (folder: string, file: string): string =>
  readFileSync(join(folder, file), "utf8")
    .replaceAll("\r", "")
    .replace(INCLUDE, (_, name) => readFileSync(join(folder, name), "utf8"));

function sentencesOf(source: string, meets: Meets): { says: string[]; hides: string[] } {
  const [says, hides]: string[][] = [[], []];
  let shown = true;
  for (const line of source.split("\n").map((line) => line.trim())) {
    const condition = /^\{% if (.+) %\}$/.exec(line)?.[1];
    if (condition !== undefined) shown = meets(condition);
    else if (line === "{% endif %}") shown = true;
    else if (SENTENCE.test(line)) (shown ? says : hides)!.push(line);
  }
  return { says: says!, hides: hides! };
}
