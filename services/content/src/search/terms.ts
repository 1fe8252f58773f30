const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}]/u;
/** A lexeme of PostgreSQL holds at most 2 KB. */
const MAX_WORD = 200;

/** The words of a text in any language, folded to what is compared: lower case, without Latin diacritics. */
export function wordsOf(text: string): string[] {
  return split(fold(text)).flatMap((word) => (UNSPACED.test(word) ? unspaced(word) : word));
}

/** A run of letters is handed to the segmenter alone: its cost grows faster than the text. */
const unspaced = (run: string) =>
  Array.from(segmenter.segment(run)).flatMap(({ segment, isWordLike }) => (isWordLike ? split(segment) : []));

/** Letters with marks, ligatures, and full-width forms: what folding changes besides the case. */
const FOLDABLE = /\p{M}|[\u00aa-\u024f\u1e00-\u1eff\u2070-\u209c\u2100-\u214f\ufb00-\ufb06\uff01-\uffef]/u;

function fold(text: string): string {
  if (!FOLDABLE.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase();
}

function split(text: string): string[] {
  return text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => WORD.test(word));
}

/** The words of a text, joined by spaces: what to_tsvector is given. */
export const termsOf = (text: string) =>
  wordsOf(text)
    .filter((word) => word.length <= MAX_WORD)
    .join(" ");
