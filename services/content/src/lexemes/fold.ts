/** What a letter is compared as, where Unicode's own decomposition does not apply. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ё: "е",
  ς: "σ",
  // Arabic, and how Persian and Urdu write the same letters.
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ہ: "ه",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** Invisible inside words: soft hyphens, joiners, marks of direction; and the Arabic tatweel, which stretches a word. */
const INVISIBLE = /\u200d|[\u00ad\u0640\u061c\u200e\u200f\u2060\ufeff]/g;
/** Accents, Arabic harakat and Hebrew niqqud. The marks of other scripts are vowels, and stay. */
const MARKS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const HEBREW_ACRONYM = /(?<=\p{Script=Hebrew})["'\u05f3\u05f4](?=\p{Script=Hebrew})/gu;

/**
 * A text as it is compared: in lower case, full-width and other compatible forms as the plain ones, without accents
 * and vowel points. The Thai and Lao `am` stays one letter, as dictionaries have it. Folding what is folded changes
 * nothing.
 */
export function fold(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(INVISIBLE, "")
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(/\u0e4d\u0e32/g, "\u0e33")
    .replace(/\u0ecd\u0eb2/g, "\u0eb3")
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter]!)
    .replace(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(HEBREW_ACRONYM, "");
}
