// The fonts that sites may be set in, from packages: readers ask nobody else for one.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export interface Family {
  package: string;
  family: string;
  /** The style sheets of the package that name its files. */
  sheets: string[];
  /** Whether code is set in it, which has all its letters of one width. */
  mono: boolean;
  /** Whether the license reserves the name for what nobody has changed: its files are sent as they are. */
  reserved?: true;
}

// Only upright faces, and of code only regular ones: browsers slant them for italics, and embolden them. Another face is up to
// 50 kB more, and arrives after the first paint: on a first visit what is set in it would be shown in another font.

const variable = (name: string, family: string): Family => ({
  package: `@fontsource-variable/${name}`,
  family: `${family} Variable`,
  sheets: ["wght.css"],
  mono: false,
});
const still = (name: string, family: string): Family => ({
  package: `@fontsource/${name}`,
  family,
  sheets: ["400.css", "700.css"],
  mono: false,
});
const variableMono = (name: string, family: string): Family => ({ ...variable(name, family), mono: true });
const stillMono = (name: string, family: string): Family => ({
  ...still(name, family),
  sheets: ["400.css"],
  mono: true,
});
const reserved = (family: Family): Family => ({ ...family, reserved: true });

/** By the names that sites have for them. One of these is not free, and is not here: the system's is shown instead. */
export const FAMILIES: Record<string, Family> = {
  Inter: variable("inter", "Inter"),
  Roboto: variable("roboto", "Roboto"),
  RobotoSlab: variable("roboto-slab", "Roboto Slab"),
  OpenSans: variable("open-sans", "Open Sans"),
  SourceSansPro: variable("source-sans-3", "Source Sans 3"),
  Lato: reserved(still("lato", "Lato")),
  Ubuntu: reserved(still("ubuntu", "Ubuntu")),
  Raleway: reserved(variable("raleway", "Raleway")),
  Merriweather: reserved(still("merriweather", "Merriweather")),
  Overpass: variable("overpass", "Overpass"),
  NotoSans: variable("noto-sans", "Noto Sans"),
  IBMPlexSerif: still("ibm-plex-serif", "IBM Plex Serif"),
  Poppins: still("poppins", "Poppins"),
  FiraSans: still("fira-sans", "Fira Sans"),
  FiraCode: variableMono("fira-code", "Fira Code"),
  IBMPlexMono: stillMono("ibm-plex-mono", "IBM Plex Mono"),
  JetBrainsMono: variableMono("jetbrains-mono", "JetBrains Mono"),
  SourceCodePro: variableMono("source-code-pro", "Source Code Pro"),
  RobotoMono: variableMono("roboto-mono", "Roboto Mono"),
  SpaceMono: stillMono("space-mono", "Space Mono"),
  DMMono: stillMono("dm-mono", "DM Mono"),
  Inconsolata: variableMono("inconsolata", "Inconsolata"),
};

/** A font by the name that sites have for it; undefined for one that is not here. */
export const familyNamed = (name: string): Family | undefined =>
  Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined;

/** A face of a font: a rule of its style sheet, and the file that it names. */
export interface Face {
  rule: string;
  file: string;
  /** The characters that the file has, as `unicode-range` names them. */
  range: string;
}

const { resolve } = createRequire(import.meta.url);

/** The faces of a font as its package has them. */
export const facesOf = ({ package: name, sheets }: Family): Face[] =>
  sheets.flatMap((sheet) => {
    const rules = readFileSync(resolve(`${name}/${sheet}`), "utf8").match(/@font-face \{[^}]*\}/g) ?? [];
    return rules.flatMap((rule) => {
      const file = /url\(\.\/files\/([a-z0-9-]+)\.woff2\)/.exec(rule)?.[1];
      const range = /unicode-range: ([^;]*);/.exec(rule)?.[1];
      return file === undefined || range === undefined ? [] : [{ rule, file, range }];
    });
  });

/** The path of a file of a font in its package. */
export const packageFile = ({ package: name }: Family, file: string): string =>
  resolve(`${name}/files/${file}.woff2`);
