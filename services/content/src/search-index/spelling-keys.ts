/** Letters up to which a word is compared; longer ones are no words that people mistype. */
const PARTS = 3;

/** How many mistakes a word may hold that somebody typed. */
export const mistakesIn = (word: string): 0 | 1 | 2 => {
  const { length } = [...word];
  return length < 4 ? 0 : length < 8 ? 1 : 2;
};

/**
 * The keys that a word is found by: its length and each of its three parts. A mistake spoils one part, or two when it
 * swaps letters across a border; so of two mistakes at least one part is left, but for rare pairs of such swaps.
 */
export function keysOf(word: string): string[] {
  const letters = [...word];
  return partsOf(letters.length).map(({ start, end }, part) =>
    key(letters.length, part, letters.slice(start, end).join("")),
  );
}

/**
 * The keys of the words that may be meant by `typed`. A part that is left intact can have moved by as many letters as
 * were inserted or left out before it; what was after it must make up for the difference in length.
 */
export function keysNear(typed: string, mistakes: number): string[] {
  const letters = [...typed];
  const keys: string[] = [];
  for (
    let length = Math.max(3, letters.length - mistakes);
    length <= letters.length + mistakes;
    length += 1
  ) {
    const longer = letters.length - length;
    for (const [part, { start, end }] of partsOf(length).entries()) {
      for (let shift = -mistakes; shift <= mistakes; shift += 1) {
        const needed = Math.abs(shift) + Math.abs(longer - shift);
        const inside = start + shift >= 0 && end + shift <= letters.length;
        if (needed <= mistakes && inside)
          keys.push(key(length, part, letters.slice(start + shift, end + shift).join("")));
      }
    }
  }
  return keys;
}

/** The keys of the words that may begin like `typed`, as far as their first part is typed right. */
export function keysBeginning(typed: string, mistakes: number): string[] {
  const letters = [...typed];
  const keys: string[] = [];
  for (let length = letters.length - mistakes; length <= 30; length += 1) {
    const { end } = partsOf(length)[0]!;
    if (end < letters.length) keys.push(key(length, 0, letters.slice(0, end).join("")));
  }
  return keys;
}

const key = (length: number, part: number, text: string) => `${length}:${part}:${text}`;

const partsOf = (length: number) =>
  Array.from({ length: PARTS }, (_, part) => ({
    start: Math.floor((part * length) / PARTS),
    end: Math.floor(((part + 1) * length) / PARTS),
  }));
