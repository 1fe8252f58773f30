import type { HtmlTag } from "./html.js";
import type { Tag } from "./tags.js";

/**
 * The tag that an element such as `<div data-gb-custom-block data-tag="hint" data-style="info">` stands for; undefined
 * when it has attributes that no tag has.
 */
export function customTag({ attrs }: HtmlTag): Tag | undefined {
  const { "data-gb-custom-block": custom, "data-tag": name, class: style, ...others } = attrs;
  // Whom a condition is for can only be read where it is a tag.
  if (custom === undefined || !name || name === "if") return undefined;
  if (!Object.keys(others).every((key) => /^data-[a-z]/.test(key))) return undefined;
  const given = Object.entries(others).map(([key, value]) => [camelCase(key.slice(5)), value]);
  const known = style === undefined || style === `${name} ${name}-${others["data-style"]}`;
  const read = { ...Object.fromEntries(given), ...(known ? {} : { class: style }) };
  return { name, attrs: read, source: Object.keys(read).join(" "), end: 0 };
}

/** Names of attributes are read in small letters, and some write a dash where others write a capital. */
const camelCase = (name: string): string => {
  const spelled = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return SPELLED.find((known) => known.toLowerCase() === spelled.toLowerCase()) ?? spelled;
};
const SPELLED = ["fullWidth", "lineNumbers", "openInAIProviders", "defaultExpanded"];
