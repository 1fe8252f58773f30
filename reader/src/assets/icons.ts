// Icons of what can be done with a page come in one image, which browsers keep: in each page they would be a quarter of it.

import { assistants } from "@octavo/html/assistants";
import { outlineOfIcon } from "@octavo/html/icons";

/** The icons of the image, one below the other, by their names in Font Awesome. */
const NAMES = ["copy", "markdown", ...assistants("").map(({ icon }) => icon), "print", "book"];

/** The width and height that each has in the image. */
const SIDE = 512;

/** The image of all icons. */
export function iconsImage(): string {
  const icons = NAMES.map((name, index) => {
    const { box, path } = outlineOfIcon(name)!;
    return `<svg y="${index * SIDE}" width="${SIDE}" height="${SIDE}" viewBox="${box}"><path d="${path}"/></svg>`;
  });
  const height = NAMES.length * SIDE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${height}" viewBox="0 0 ${SIDE} ${height}">${icons.join("")}</svg>`;
}

/** Where an icon begins in the image, in its own heights; throws for one that is not in it. */
export function placeOfIcon(name: string): number {
  const index = NAMES.indexOf(name);
  if (index < 0) throw new Error(`The image has no icon ${name}`);
  return index;
}
