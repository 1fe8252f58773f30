// Style sheets that a page loads come as one file: each is a request less before anything is seen.

import { LRUCache } from "lru-cache";
import type { Asset } from "./asset.js";

/** Our style sheets that may come as one, in their order; all pages have the first. */
const SHEETS = ["site", "navigation", "customization"];

/** Files that are kept: a site has few of them. */
const MOST = 50;

/** The name of the file of style sheets, by theirs without what they end with: `site.<hash>.fonts-Inter-none.<hash>.css`. */
export const joinedName = (stems: string[]): string => `${stems.join(".")}.css`;

/** Finds files of style sheets by their names: the first of `SHEETS`, others of them in their order, and one that is none of them. */
export function joinedSheets(find: (name: string) => Asset | undefined): (name: string) => Asset | undefined {
  const kept = new LRUCache<string, Asset>({ max: MOST });
  return (name) => {
    const known = kept.get(name);
    if (known) return known;
    const stems = name.match(/[\w-]+\.[\w-]+(?=\.)/g) ?? [];
    if (name !== joinedName(stems) || !areInOrder(stems)) return undefined;
    const sheets = stems.flatMap((stem) => find(`${stem}.css`) ?? []);
    const [first] = sheets;
    if (!first || sheets.length < stems.length) return undefined;
    const body = Buffer.concat(sheets.map((sheet) => sheet.body!));
    const made = { type: first.type, length: body.length, body };
    kept.set(name, made);
    return made;
  };
}

/** Whether no other order than this is possible: names of which there are many would take more than they are worth. */
function areInOrder(stems: string[]): boolean {
  const places = stems
    .map((stem) => SHEETS.indexOf(stem.split(".")[0]!))
    .map((place) => (place < 0 ? SHEETS.length : place));
  return places[0] === 0 && places.every((place, at) => at === 0 || place > places[at - 1]!);
}
