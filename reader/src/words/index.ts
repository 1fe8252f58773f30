import { ar } from "./ar.js";
import type { Chrome } from "./chrome.js";
import { de } from "./de.js";
import { en } from "./en.js";
import { es } from "./es.js";
import { fr } from "./fr.js";
import { he } from "./he.js";
import { ja } from "./ja.js";
import { nl } from "./nl.js";
import { no } from "./no.js";
import { ptBr } from "./pt-br.js";
import { ru } from "./ru.js";
import { zh } from "./zh.js";

export type { Chrome } from "./chrome.js";

/** The languages of the frame: those that a site may be set to, and two that are written from right to left. */
const LANGUAGES = { ar, de, en, es, fr, he, ja, nl, no, "pt-br": ptBr, ru, zh };
export type Language = keyof typeof LANGUAGES;

/** A language of the frame, for one that a space or a browser names; undefined for others. */
export function spoken(name: string | undefined): Language | undefined {
  const lower = name?.toLowerCase() ?? "";
  const wanted = NAMED_OTHERWISE.get(lower) ?? lower;
  const found = [wanted, wanted.split("-")[0]!].find((one) => Object.hasOwn(LANGUAGES, one));
  return found as Language | undefined;
}

const NAMED_OTHERWISE = new Map<string, Language>([
  ["pt", "pt-br"],
  ["nb", "no"],
  ["nn", "no"],
  ["iw", "he"],
  ["yue", "zh"],
]);

/** The words in a language. */
export const wordsIn = (language: Language): Chrome => LANGUAGES[language];

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: string): boolean => /^(?:ar|fa|he|iw|ps|ur|yi)\b/i.test(language);

/** The words for a browser that belongs to no site: in the first language of its `Accept-Language` that is spoken here. */
export function wordsFor(acceptLanguage: string | undefined): { language: Language; words: Chrome } {
  const wanted = (acceptLanguage ?? "").slice(0, 200).split(",");
  const language = wanted.map((one) => spoken(one.split(";", 1)[0]!.trim())).find((one) => one) ?? "en";
  return { language, words: LANGUAGES[language] };
}
