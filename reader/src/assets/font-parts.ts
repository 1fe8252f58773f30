// Files of Latin letters are cut in two: nearly every page is set in a hundred characters, for which a whole file is three
// times as much as is used. What is cut is written by the build.

import { fileURLToPath } from "node:url";
import type { Face, Family } from "./font-families.js";

/** What a font is cut into: the characters of English, and what else Latin letters have, such as accents. */
export type PartName = "basic" | "more";

/** The characters of English: letters, digits, and signs of texts; ends of lines as well, for which browsers load a font. */
const BASIC = "U+0000-007E,U+00A0,U+00A9,U+00B7,U+00D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026";

/** The weights that pages use, of files that have more. Chromium shows a text of any other one in no optional font. */
export const WEIGHTS = { min: 400, max: 700 };

/** A part of a face. */
export interface Part {
  name: PartName;
  file: string;
  /** The first and last numbers of the characters that it has. */
  ranges: [number, number][];
  /** The weights that it has, where it has several. */
  weights?: typeof WEIGHTS;
}

/**
 * The parts that a face is cut into; none for most. They share no characters: a browser loads every file that says that it
 * has one, until the first is there.
 */
export function partsOf(family: Family, { file, range }: Face): Part[] {
  const [, stem, weight] = /^(.*-latin)-((?:wght|\d+)-normal)$/.exec(file) ?? [];
  if (family.reserved || !stem) return [];
  const basic = rangesIn(BASIC);
  const weights = weight?.startsWith("wght") ? WEIGHTS : undefined;
  const part = (name: PartName, ranges: [number, number][]): Part => ({
    name,
    file: `${stem}-${name}-${weight}`,
    ranges,
    weights,
  });
  return [part("basic", basic), part("more", without(rangesIn(range), basic))];
}

/** The path of the file of a part, which the build has written. */
export const partFile = (file: string): string =>
  fileURLToPath(new URL(`../../dist/fonts/${file}.woff2`, import.meta.url));

/** Whether a page has characters of Latin letters that the part for English has not. */
export const hasMore = (html: string): boolean =>
  /[\u00a1-\u00a8\u00aa-\u00b6\u00b8-\u00d6\u00d8-\u00ff\u0131\u0152\u0153]/.test(html);

/** Ranges of characters, as a style sheet names them. */
export const rangeText = (ranges: [number, number][]): string =>
  ranges.map(([first, last]) => `U+${hex(first)}${last > first ? `-${hex(last)}` : ""}`).join(",");

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(4, "0");

const rangesIn = (text: string): [number, number][] =>
  text.split(",").map((one) => {
    const [first = "", last = first] = one.trim().slice(2).split("-");
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

const without = (ranges: [number, number][], others: [number, number][]): [number, number][] =>
  others.reduce(
    (left, [first, last]) =>
      left.flatMap(([from, to]): [number, number][] =>
        last < from || first > to
          ? [[from, to]]
          : [
              ...(from < first ? [[from, first - 1] as [number, number]] : []),
              ...(last < to ? [[last + 1, to] as [number, number]] : []),
            ],
      ),
    ranges,
  );
