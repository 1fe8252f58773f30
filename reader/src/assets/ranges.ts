// Sets of characters as ranges of their numbers, as style sheets have them.

/** The first and the last number of characters that follow one another. */
export type Range = [first: number, last: number];

/** Reads ranges as a style sheet names them: `U+0041-005A,U+00E9`. */
export const rangesIn = (text: string): Range[] =>
  text.split(",").map((one) => {
    const [first = "", last = first] = one.trim().slice(2).split("-");
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

/** Ranges of characters, as a style sheet names them. */
export const rangeText = (ranges: Range[]): string =>
  ranges.map(([first, last]) => `U+${hex(first)}${last > first ? `-${hex(last)}` : ""}`).join(",");

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(4, "0");

/** Ranges in order, those that touch as one. */
export function joined(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}

/** What is in ranges and not in others. */
export const without = (ranges: Range[], others: Range[]): Range[] =>
  others.reduce(
    (left, [first, last]) =>
      left.flatMap(([from, to]): Range[] =>
        last < from || first > to
          ? [[from, to]]
          : [
              ...(from < first ? [[from, first - 1] as Range] : []),
              ...(last < to ? [[last + 1, to] as Range] : []),
            ],
      ),
    ranges,
  );

/** A regular expression that finds any of the characters. */
export const patternOf = (ranges: Range[], flags = "u"): RegExp =>
  new RegExp(
    `[${ranges.map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join("-")).join("")}]`,
    flags,
  );
