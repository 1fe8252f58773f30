import { isRecord } from "@octavo/markdown/yaml/record";
import { cards } from "./cards.js";

/** The home page of VitePress, which is nothing but frontmatter, as a text. */
export function homeOf({ layout, hero, features }: Record<string, unknown>): string[] {
  if (layout !== "home") return [];
  const heroFields = isRecord(hero) ? hero : {};
  const title = wordsOf(heroFields.name) ?? wordsOf(heroFields.text);
  const lines = title ? [`# ${title}`, ""] : [];
  if (wordsOf(heroFields.name) && wordsOf(heroFields.text)) lines.push(`**${wordsOf(heroFields.text)}**`, "");
  if (wordsOf(heroFields.tagline)) lines.push(wordsOf(heroFields.tagline)!, "");
  for (const action of listOf(heroFields.actions)) {
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
