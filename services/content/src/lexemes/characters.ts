/** Scripts that are indexed by pairs of characters: any stretch of a text is then found, whatever a dictionary says. */
const PAIRED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc\u3005\u3006]/u;
/** Scripts without spaces between words whose words a dictionary finds. */
const SEGMENTED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /[\p{L}\p{N}]/u;
const MARK = /\p{M}/u;

/** What a character is to the search; marks alone make no word. */
export const SPACED = 1;
export const PAIR = 2;
export const SEGMENT = 4;
export const KINDS = SPACED | PAIR | SEGMENT;
export const IS_MARK = 8;
const ASKED = 16;

/** Of every character that was asked for: an import asks for millions, and Unicode's properties are slow to find. */
const known = new Uint8Array(0x110000);

/** The kind of a character by its code point, `IS_MARK` added to it if it is one; 0 when it separates words. */
export function characterAt(code: number): number {
  if (known[code] === 0) known[code] = classify(String.fromCodePoint(code)) | ASKED;
  return known[code]! & ~ASKED;
}

function classify(character: string): number {
  const mark = MARK.test(character);
  if (!mark && !LETTER.test(character)) return 0;
  const kind = PAIRED.test(character) ? PAIR : SEGMENTED.test(character) ? SEGMENT : SPACED;
  return mark ? kind | IS_MARK : kind;
}
