// Writes the parts that fonts are cut into, for the build.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import subsetFont from "subset-font";
import { FAMILIES, facesOf, packageFile } from "./assets/font-families.js";
import { partFile, partsOf } from "./assets/font-parts.js";

/**
 * Features that browsers use by themselves or that our style sheet names: distances between letters, ligatures, accents,
 * digits of one width. Of texts, not what depends on the letters around: it draws arrows for `->`, for a quarter more.
 */
const OF_TEXTS = ["kern", "liga", "ccmp", "locl", "mark", "mkmk", "tnum"];
const OF_CODE = [...OF_TEXTS, "calt"];

const charactersIn = (ranges: [number, number][]): string =>
  ranges
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
    )
    .join("");

for (const family of Object.values(FAMILIES))
  for (const face of facesOf(family))
    for (const { file, ranges, weights } of partsOf(family, face)) {
      const whole = readFileSync(packageFile(family, face.file));
      const part = await subsetFont(whole, charactersIn(ranges), {
        targetFormat: "woff2",
        keepFeatures: family.mono ? OF_CODE : OF_TEXTS,
        noHinting: true,
        ...(weights && { variationAxes: { wght: weights } }),
      });
      mkdirSync(dirname(partFile(file)), { recursive: true });
      writeFileSync(partFile(file), part);
    }
