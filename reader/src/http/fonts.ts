// The fonts that sites may be set in, from packages: readers ask nobody else for one.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import type { Asset } from "./asset.js";

interface Font {
  package: string;
  family: string;
  /** The style sheets of the package that name its files. */
  sheets: string[];
}

// Only upright faces, and of code only regular ones: browsers slant them for italics, and embolden them. Another face is up to
// 50 kB more, and arrives after the first paint: on a first visit what is set in it would be shown in another font.

const variable = (name: string, family: string): Font => ({
  package: `@fontsource-variable/${name}`,
  family: `${family} Variable`,
  sheets: ["wght.css"],
});
const still = (name: string, family: string): Font => ({
  package: `@fontsource/${name}`,
  family,
  sheets: ["400.css", "700.css"],
});
const stillMono = (name: string, family: string): Font => ({ ...still(name, family), sheets: ["400.css"] });

/** By the names that sites have for them. One of these is not free, and is not here: the system's is shown instead. */
const FONTS: Record<string, Font> = {
  Inter: variable("inter", "Inter"),
  Roboto: variable("roboto", "Roboto"),
  RobotoSlab: variable("roboto-slab", "Roboto Slab"),
  OpenSans: variable("open-sans", "Open Sans"),
  SourceSansPro: variable("source-sans-3", "Source Sans 3"),
  Lato: still("lato", "Lato"),
  Ubuntu: still("ubuntu", "Ubuntu"),
  Raleway: variable("raleway", "Raleway"),
  Merriweather: still("merriweather", "Merriweather"),
  Overpass: variable("overpass", "Overpass"),
  NotoSans: variable("noto-sans", "Noto Sans"),
  IBMPlexSerif: still("ibm-plex-serif", "IBM Plex Serif"),
  Poppins: still("poppins", "Poppins"),
  FiraSans: still("fira-sans", "Fira Sans"),
  FiraCode: variable("fira-code", "Fira Code"),
  IBMPlexMono: stillMono("ibm-plex-mono", "IBM Plex Mono"),
  JetBrainsMono: variable("jetbrains-mono", "JetBrains Mono"),
  SourceCodePro: variable("source-code-pro", "Source Code Pro"),
  RobotoMono: variable("roboto-mono", "Roboto Mono"),
  SpaceMono: stillMono("space-mono", "Space Mono"),
  DMMono: stillMono("dm-mono", "DM Mono"),
  Inconsolata: variable("inconsolata", "Inconsolata"),
};

const require = createRequire(import.meta.url);

/** The family that a font of a site is known by in style sheets; undefined for one that is not here. */
export const familyOf = (name: string): string | undefined =>
  Object.hasOwn(FONTS, name) ? FONTS[name]!.family : undefined;

const SHEET = /^fonts-([A-Za-z]+)-([A-Za-z]+)\.v\d+\.css$/;
const FILE = /^(font-[a-z-]+)~([a-z0-9-]+)\.v\d+\.woff2$/;

/** The name of the file of a font that texts in Latin letters are set from; undefined for a font that is not here. */
export function latinFile(name: string): string | undefined {
  const font = Object.hasOwn(FONTS, name) ? FONTS[name]! : undefined;
  if (!font) return undefined;
  const weight = font.sheets[0] === "wght.css" ? "wght" : "400";
  const file = `${font.package.split("/")[1]}-latin-${weight}-normal`;
  return `font-${name.toLowerCase()}~${file}.v${versionOf(font)}.woff2`;
}

/** The name of the style sheet of a font for texts and one for code. It holds the versions of both packages. */
export function fontSheet(text: string, mono: string): string | undefined {
  const both = [text, mono].filter((name) => familyOf(name) !== undefined);
  if (both.length === 0) return undefined;
  const [one = "none", other = "none"] = [text, mono].map((name) => (familyOf(name) ? name : "none"));
  return `fonts-${one}-${other}.v${both.map((name) => versionOf(FONTS[name]!)).join("")}.css`;
}

const versions = new Map<string, string>();

function versionOf({ package: name }: Font): string {
  const there = versions.get(name);
  if (there) return there;
  const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), "utf8")) as {
    version: string;
  };
  const digits = version.replace(/\D/g, "");
  versions.set(name, digits);
  return digits;
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
  const css = [text, mono].flatMap((one) => (Object.hasOwn(FONTS, one) ? facesOf(one, FONTS[one]!) : []));
  const body = Buffer.from(css.join("\n"));
  return { type: "text/css; charset=utf-8", length: body.length, body };
}

/** The faces of a font, whose files lie beside the style sheet. What is not there in time is not waited for. */
function facesOf(name: string, font: Font): string[] {
  const version = versionOf(font);
  return font.sheets.flatMap((sheet) => {
    const faces = sheetOf(font, sheet).match(/@font-face \{[^}]*\}/g) ?? [];
    return faces.flatMap((face) => {
      const file = /url\(\.\/files\/([a-z0-9-]+)\.woff2\)/.exec(face)?.[1];
      if (file === undefined) return [];
      const src = `src: url(font-${name.toLowerCase()}~${file}.v${version}.woff2) format("woff2");`;
      return [
        face
          .replace(/src: [^;]*;/, src)
          .replace("swap", "optional")
          .replace(/\s+/g, " "),
      ];
    });
  });
}

const sheetOf = (font: Font, sheet: string): string =>
  readFileSync(require.resolve(`${font.package}/${sheet}`), "utf8");

function fileAt(name: string): Asset | undefined {
  const [, font = "", file = ""] = FILE.exec(name) ?? [];
  const found = Object.entries(FONTS).find(([one]) => font === `font-${one.toLowerCase()}`)?.[1];
  if (!found || !name.endsWith(`.v${versionOf(found)}.woff2`)) return undefined;
  try {
    const body = readFileSync(require.resolve(`${found.package}/files/${file}.woff2`));
    // The format is compressed already.
    return { type: "font/woff2", length: body.length, body };
  } catch {
    return undefined;
  }
}
