import { isRecord } from "@octavo/markdown/yaml/record";
import { cards } from "./cards.js";

/** The home page of VitePress, which is nothing but frontmatter, as a text. */
export function homeOf({ layout, hero, features }: Record<string, unknown>): string[] {
  if (layout !== "home") return [];
  const told = isRecord(hero) ? hero : {};
  const title = wordsOf(told.name) ?? wordsOf(told.text);
  const lines = title ? [`# ${title}`, ""] : [];
  if (wordsOf(told.name) && wordsOf(told.text)) lines.push(`**${wordsOf(told.text)}**`, "");
  if (wordsOf(told.tagline)) lines.push(wordsOf(told.tagline)!, "");
  for (const action of listOf(told.actions)) {
    const [text, link] = [wordsOf(action.text), wordsOf(action.link)];
    if (text && link && !/[\s<>]/.test(link)) lines.push(`* [${text.replace(/[[\]]/g, "\\$&")}](<${link}>)`);
  }
  const shown = listOf(features).map(({ title, details, link }) => ({
    attrs: { title: wordsOf(title) ?? "", ...(wordsOf(link) && { href: wordsOf(link)! }) },
    words: wordsOf(details) ?? "",
  }));
  return shown.length > 0 ? [...lines, "", ...cards(shown), ""] : [...lines, ""];
}

const wordsOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().replace(/\s+/g, " ") : undefined;

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);
