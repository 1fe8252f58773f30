import { readFileSync } from "node:fs";
import { LRUCache } from "lru-cache";
import type { Asset } from "./asset.js";
import {
  FAMILIES,
  type Face,
  type Family,
  facesOf,
  familyNamed,
  packageFile,
  versionOf,
} from "./font-families.js";
import { type PartName, partFile, partsOf } from "./font-parts.js";

const SHEET = /^fonts-([A-Za-z]+)-([A-Za-z]+)\.v\d+\.css$/;
const FILE = /^(font-[a-z-]+)~([a-z0-9-]+)\.v\d+\.woff2$/;

/** The family that a font of a site is known by in style sheets; undefined for one that is not here. */
export const familyOf = (name: string): string | undefined => familyNamed(name)?.family;

/** The name of the style sheet of a font for texts and one for code. It holds the versions of both packages. */
export function fontSheet(text: string, mono: string): string | undefined {
  const both = [text, mono].flatMap((name) => familyNamed(name) ?? []);
  if (both.length === 0) return undefined;
  const [one = "none", other = "none"] = [text, mono].map((name) => (familyNamed(name) ? name : "none"));
  return `fonts-${one}-${other}.v${both.map(versionOf).join("")}.css`;
}

/**
 * The name of the file of a font that a part of its regular Latin letters is set from; undefined for a font that is not here,
 * and for what lies in a file that has all of them, which `basic` names.
 */
export function latinFile(name: string, part: PartName): string | undefined {
  const key = `${name} ${part}`;
  if (!latinFiles.has(key)) latinFiles.set(key, findLatinFile(name, part));
  return latinFiles.get(key);
}

/** Of the fonts that are asked for, which each page names. */
const latinFiles = new Map<string, string | undefined>();

function findLatinFile(name: string, part: PartName): string | undefined {
  const family = familyNamed(name);
  const face = family && facesOf(family).find(({ file }) => /-latin-(?:wght|400)-normal$/.test(file));
  if (!face) return undefined;
  const parts = partsOf(family, face);
  const found = parts.find((one) => one.name === part);
  if (found) return nameOf(name, family, found.file);
  return part === "basic" ? nameOf(name, family, face.file) : undefined;
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
  const [, text = "", mono = ""] = SHEET.exec(name) ?? [];
  if (fontSheet(text, mono) !== name) return undefined;
  const rules = [text, mono].flatMap((one) => {
    const family = familyNamed(one);
    return family ? facesOf(family).flatMap((face) => rulesOf(one, family, face)) : [];
  });
  const body = Buffer.from(rules.join("\n"));
  return { type: "text/css; charset=utf-8", length: body.length, body };
}

/** The rules of a face or of its parts, whose files lie beside the style sheet. What is not there in time is not waited for. */
function rulesOf(name: string, family: Family, face: Face): string[] {
  const rule = face.rule.replace("swap", "optional").replace(/\s+/g, " ");
  const ruleFor = (file: string) =>
    rule.replace(/src: [^;]*;/, `src: url(${nameOf(name, family, file)}) format("woff2");`);
  const parts = partsOf(family, face);
  if (parts.length === 0) return [ruleFor(face.file)];
  return parts.map(({ file, range, weights }) => {
    const cut = ruleFor(file).replace(/unicode-range: [^;]*;/, `unicode-range: ${range};`);
    return weights ? cut.replace(/font-weight: [^;]*;/, `font-weight: ${weights.min} ${weights.max};`) : cut;
  });
}

const nameOf = (name: string, family: Family, file: string): string =>
  `font-${name.toLowerCase()}~${file}.v${versionOf(family)}.woff2`;

function fileAt(name: string): Asset | undefined {
  const [, font = "", file = ""] = FILE.exec(name) ?? [];
  const [, family] = Object.entries(FAMILIES).find(([one]) => font === `font-${one.toLowerCase()}`) ?? [];
  if (!family || !name.endsWith(`.v${versionOf(family)}.woff2`)) return undefined;
  const face = facesOf(family).find(
    (one) => one.file === file || partsOf(family, one).some((part) => part.file === file),
  );
  if (!face) return undefined;
  const body = readFileSync(face.file === file ? packageFile(family, file) : partFile(file));
  // The format is compressed already.
  return { type: "font/woff2", length: body.length, body };
}
