const ARABIC = /^\p{Script=Arabic}{4,}$/u;
const FIRST_HEBREW = 0x590;
const HEBREW = /^\p{Script=Hebrew}{4,}$/u;
/** And, with, like, so, for; and the article. */
const ARABIC_PREFIXES = ["وال", "بال", "كال", "فال", "لل", "ال", "و"];
/** The same in Hebrew. `מ` alone begins too many words of its own. */
const HEBREW_PREFIXES = ["וה", "וב", "ול", "וכ", "וש", "ומ", "שה", "מה", "כש", "ה", "ו", "ב", "ל", "כ", "ש"];

/**
 * An Arabic or Hebrew word without the article and the short words that are written together with it, as far as one can
 * decide: both forms are indexed and looked for, so a wrong guess costs nothing. `least` letters stay.
 */
export function withoutPrefixes(word: string, least = 3): string[] {
  // Asked of every word of an import, and most are in other scripts.
  if (word.charCodeAt(0) < FIRST_HEBREW) return [];
  const prefixes = ARABIC.test(word) ? ARABIC_PREFIXES : HEBREW.test(word) ? HEBREW_PREFIXES : [];
  return prefixes
    .filter((prefix) => word.startsWith(prefix) && word.length - prefix.length >= least)
    .map((prefix) => word.slice(prefix.length));
}
