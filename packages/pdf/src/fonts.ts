import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A font of a package, by the weights that are used. */
export interface Font {
  family: string;
  package: string;
  styles: string[];
}

const WEIGHTS = ["400Regular", "700Bold"];
const ITALICS = ["400Regular_Italic", "700Bold_Italic"];
const noto = (family: string, name: string, styles = WEIGHTS): Font => ({
  family,
  package: `@expo-google-fonts/${name}`,
  styles,
});

/** What text is set in: the first that has a character. All are under the SIL Open Font License, which lets a PDF hold them. */
export const SANS: Font[] = [
  noto("Noto Sans", "noto-sans", [...WEIGHTS, ...ITALICS]),
  noto("Noto Sans Arabic", "noto-sans-arabic"),
  noto("Noto Sans Hebrew", "noto-sans-hebrew"),
  noto("Noto Sans Thai", "noto-sans-thai"),
  noto("Noto Sans SC", "noto-sans-sc"),
  noto("Noto Sans KR", "noto-sans-kr"),
  noto("Noto Emoji", "noto-emoji"),
];

/** What code is set in. */
export const MONO: Font[] = [noto("Noto Sans Mono", "noto-sans-mono")];

/** The folders of all fonts. One whose package is left out of an image is missed by nobody else. */
export function fontFolders(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return [...SANS, ...MONO].flatMap((font) => {
    try {
      const folder = dirname(resolve(`${font.package}/package.json`));
      return font.styles.map((style) => join(folder, style)).filter(existsSync);
    } catch {
      return [];
    }
  });
}
