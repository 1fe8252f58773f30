import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { LRUCache } from "lru-cache";
import type { Asset } from "./asset.js";
import { type Face, type Family, facesOf, familyNamed, packageFile } from "./font-families.js";
import { isLatin, type PartName, partFile, partsFor, partsOf } from "./font-parts.js";
import { LETTERS, type Letters } from "./letters.js";
import { rangeText } from "./ranges.js";

// Names hold the hash of what they name, so that browsers may keep it for ever.

const SHEET = /^fonts-([A-Za-z]+)-([A-Za-z]+)-([a-z]+)\.[\w-]+\.css$/;
const FILE = /^font-([A-Za-z]+)~([a-z0-9-]+)\.[\w-]+\.woff2$/;

/** The family that a font of a site is known by in style sheets; undefined for one that is not here. */
export const familyOf = (name: string): string | undefined => familyNamed(name)?.family;

/** What a style sheet of fonts names: the files of Latin letters for some languages, or those of other letters. */
export type SheetLetters = Letters | "others";

/** The name of the style sheet of a font for texts and one for code, for some letters; undefined where neither has them. */
export function fontSheet(text: string, mono: string, letters: SheetLetters): string | undefined {
  const [one, other] = [text, mono].map((name) => (familyNamed(name) ? name : undefined));
  if (one === undefined && other === undefined) return undefined;
  return once(`sheet ${one} ${other} ${letters}`, () => {
    const rules = rulesOfAll(letters, one, other);
    return rules ? `fonts-${one ?? "none"}-${other ?? "none"}-${letters}.${hashOf(rules)}.css` : undefined;
  });
}

/**
 * Returns the names of the files with the Latin letters of a font, of each weight that has a file of its own: those with some
 * letters, and those with the rest. Of a font that is not cut, the first have all of them; one that is not here has none.
 */
export const latinFiles = (name: string, letters: Letters): { own: string[]; more: string[] } =>
  once(`latin ${name} ${letters}`, () => {
    const family = familyNamed(name);
    const faces = family ? facesOf(family).filter(isLatin) : [];
    const filesOf = (part: PartName) => faces.flatMap((face) => latinFile(name, family!, face, part) ?? []);
    return { own: filesOf(letters), more: filesOf("more") };
  });

function latinFile(name: string, family: Family, face: Face, part: PartName): string | undefined {
  const found = partsOf(family, face).find((one) => one.name === part);
  if (found) return nameOf(name, found.file, partFile(found.file));
  return part !== "more" ? nameOf(name, face.file, packageFile(family, face.file)) : undefined;
}

/** Names that were made, of which each page has some. */
const names = new Map<string, unknown>();

function once<Names>(key: string, make: () => Names): Names {
  if (!names.has(key)) names.set(key, make());
  return names.get(key) as Names; // Cast: what the same key was made by.
}

/** Bytes of fonts that are kept: browsers ask for a file once, and what is not kept is read from the disk. */
const MAX_BYTES = 4 * 1024 * 1024;
const known = new LRUCache<string, Asset>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ length }) => 500 + length,
});

/** A style sheet or a file of a font, by the last part of its path; undefined for others. */
export function findFont(name: string): Asset | undefined {
  const there = known.get(name);
  if (there) return there;
  const made = sheetAt(name) ?? fileAt(name);
  if (made) known.set(name, made);
  return made;
}

function sheetAt(name: string): Asset | undefined {
  const [, text = "", mono = "", group = ""] = SHEET.exec(name) ?? [];
  const letters = [...LETTERS, "others" as const].find((one) => one === group);
  if (!letters || fontSheet(text, mono, letters) !== name) return undefined;
  const body = Buffer.from(rulesOfAll(letters, text, mono));
  return { type: "text/css; charset=utf-8", length: body.length, body };
}

const rulesOfAll = (letters: SheetLetters, ...fonts: (string | undefined)[]): string =>
  fonts
    .flatMap((name = "") => {
      const family = familyNamed(name);
      const faces = family ? facesOf(family).filter((face) => isLatin(face) === (letters !== "others")) : [];
      return faces.flatMap((face) => rulesOf(name, family!, face, letters));
    })
    .join("\n");

/** The rules of a face or of its parts, whose files lie beside the style sheet. What is not there in time is not waited for. */
function rulesOf(name: string, family: Family, face: Face, letters: SheetLetters): string[] {
  const rule = face.rule.replace("swap", "optional").replace(/\s+/g, " ");
  const ruleFor = (file: string, path: string) =>
    rule.replace(/src: [^;]*;/, `src: url(${nameOf(name, file, path)}) format("woff2");`);
  const parts = letters === "others" ? [] : partsFor(letters, family, face);
  if (parts.length === 0) return [ruleFor(face.file, packageFile(family, face.file))];
  return parts.map(({ file, ranges, weights }) => {
    const cut = ruleFor(file, partFile(file)).replace(
      /unicode-range: [^;]*;/,
      `unicode-range: ${rangeText(ranges)};`,
    );
    return weights ? cut.replace(/font-weight: [^;]*;/, `font-weight: ${weights.min} ${weights.max};`) : cut;
  });
}

const hashOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 10);

/** The name of a file of a font, which lies at a path. */
const nameOf = (name: string, file: string, path: string): string =>
  once(`file ${name} ${file}`, () => `font-${name}~${file}.${hashOf(readFileSync(path))}.woff2`);

function fileAt(name: string): Asset | undefined {
  const [, font = "", file = ""] = FILE.exec(name) ?? [];
  const family = familyNamed(font);
  const path = family && pathOf(family, file);
  if (path === undefined || nameOf(font, file, path) !== name) return undefined;
  const body = readFileSync(path);
  // The format is compressed already.
  return { type: "font/woff2", length: body.length, body };
}

/** Where a file of a font lies; undefined for one that it does not have. */
function pathOf(family: Family, file: string): string | undefined {
  for (const face of facesOf(family)) {
    if (face.file === file) return packageFile(family, file);
    if (partsOf(family, face).some((part) => part.file === file)) return partFile(file);
  }
  return undefined;
}
