// Files of Latin letters are cut into parts: nearly every page is set in a hundred characters, for which a whole file is three
// times as much as is used. What is cut is written by the build.

import { fileURLToPath } from "node:url";
import type { Face, Family } from "./font-families.js";
import { LETTERS, type Letters, rangesOf } from "./letters.js";
import { type Range, rangesIn, without } from "./ranges.js";

/** What a font is cut into: the letters of a group of languages, and what English is not written in, such as accents. */
export type PartName = Letters | "more";

/** The weights that pages use, of files that have more. Chromium shows a text of any other one in no optional font. */
export const WEIGHTS = { min: 400, max: 700 };

/** A part of a face. */
export interface Part {
  name: PartName;
  file: string;
  /** The characters that it has. */
  ranges: Range[];
  /** The weights that it has, where it has several. */
  weights?: typeof WEIGHTS;
}

const LATIN = /^(.*-latin)-((?:wght|\d+)-normal)$/;

/** Whether a face has the Latin letters of most languages, and not those of few. */
export const isLatin = ({ file }: Face): boolean => LATIN.test(file);

/** The parts that a face is cut into; none for most. */
export function partsOf(family: Family, { file, range }: Face): Part[] {
  const [, stem, weight] = LATIN.exec(file) ?? [];
  if (family.reserved || !stem) return [];
  const weights = weight?.startsWith("wght") ? WEIGHTS : undefined;
  const part = (name: PartName, ranges: Range[]): Part => ({
    name,
    file: `${stem}-${name}-${weight}`,
    ranges,
    weights,
  });
  return [
    ...LETTERS.map((letters) => part(letters, rangesOf(letters))),
    part("more", without(rangesIn(range), rangesOf("english"))),
  ];
}

/**
 * The two parts of a face that a page of some letters may load: that with them, and the rest. They share no characters: a
 * browser loads every file that says that it has one, until the first is there.
 */
export function partsFor(letters: Letters, family: Family, face: Face): Part[] {
  const parts = partsOf(family, face);
  const [own, more] = [letters, "more"].map((name) => parts.find((part) => part.name === name));
  return own && more ? [own, { ...more, ranges: without(more.ranges, own.ranges) }] : [];
}

/** The path of the file of a part, which the build has written. */
export const partFile = (file: string): string =>
  fileURLToPath(new URL(`../../dist/fonts/${file}.woff2`, import.meta.url));
