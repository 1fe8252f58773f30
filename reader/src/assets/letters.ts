// Which letters a page is set in, so that it loads those of a font and no others.

import { joined, patternOf, type Range, rangesIn, without } from "./ranges.js";

/** The characters of English: letters, digits, and signs of texts; ends of lines as well, for which browsers load a font. */
const ENGLISH = "U+0000-007E,U+00A0,U+00A9,U+00B7,U+00D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026";

/** Groups of languages, by the first part of their names, and the letters that they have beside those of English. */
const GROUPS = {
  english: { languages: ["en"], letters: "" },
  germanic: {
    languages: ["da", "de", "fi", "nb", "nl", "nn", "no", "sv"],
    letters: "äöüßåæøàáèéêëíïóòôÄÖÜÅÆØÀÁÈÉÊËÍÏÓÒÔ«»„‚",
  },
  romance: {
    languages: ["ca", "es", "fr", "gl", "it", "pt"],
    letters: "áàâãäæçéèêëîìíïñóòôõöœúùûüÁÀÂÃÄÆÇÉÈÊËÎÌÍÏÑÓÒÔÕÖŒÚÙÛÜ¿¡ºª«»",
  },
};

/** A group of languages, whose letters a font has in one file. */
export type Letters = keyof typeof GROUPS;

/** All groups, that with the fewest letters first. */
export const LETTERS = Object.keys(GROUPS) as Letters[]; // Cast: the names of the groups.

/** Returns the characters of a group of languages. */
export function rangesOf(letters: Letters): Range[] {
  const own = [...GROUPS[letters].letters].map(
    (letter): Range => [letter.codePointAt(0)!, letter.codePointAt(0)!],
  );
  return joined([...rangesIn(ENGLISH), ...own]);
}

/** Returns the group of a language; undefined for a language of none of them. */
export function lettersOf(language: string): Letters | undefined {
  const [first = ""] = language.toLowerCase().split("-");
  return LETTERS.find((letters) => GROUPS[letters].languages.includes(first));
}

/** Letters with accents, and signs, of the files of Latin letters. */
const ACCENTED: Range[] = [
  [0xa1, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
];
/** Those of them that a group does not have. */
const FOREIGN = Object.fromEntries(
  LETTERS.map((letters) => [letters, patternOf(without(ACCENTED, rangesOf(letters)), "gu")]),
) as Record<Letters, RegExp>; // Cast: each group has one.

/** Letters that fonts have in files of their own: Greek, Cyrillic, Vietnamese, and of Latin what the groups do not have. */
const OF_OTHER_FILES =
  /[\u0100-\u0130\u0132-\u0151\u0154-\u024f\u1e00-\u1eff\u20ab\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** A page with at least so many letters with accents, and one in so many characters of its HTML, is in a language that has them. */
const ACCENTS = { least: 10, in: 2_000 };

/** Which letters a page has. */
export interface LettersOfPage {
  /** Those of its language. */
  own: Letters;
  /** Whether there are accents that these do not have. */
  more: boolean;
  /** Whether there are letters that fonts have in files of their own. */
  others: boolean;
}

/**
 * Returns the letters of a page: those of its language. A page in English with many accents gets those of the group that has
 * them: English is the language of sites for which nobody has chosen one.
 */
export function lettersIn(html: string, language: string): LettersOfPage {
  const own = lettersOf(language) ?? "english";
  const others = OF_OTHER_FILES.test(html);
  const foreign = html.match(FOREIGN[own]) ?? [];
  if (own !== "english" || foreign.length < Math.max(ACCENTS.least, html.length / ACCENTS.in))
    return { own, more: foreign.length > 0, others };
  const text = foreign.join("");
  const missing = (letters: Letters) => text.match(FOREIGN[letters])?.length ?? 0;
  const written = LETTERS.reduce((best, one) => (missing(one) < missing(best) ? one : best));
  return { own: written, more: missing(written) > 0, others };
}
