// Style sheets that a page loads come as one file: each is a request less before anything is seen.

import { LRUCache } from "lru-cache";
import type { Asset } from "./asset.js";

/** Our style sheets that may come as one, in their order; all pages have the first. */
const SHEETS = ["site", "navigation", "customization"];

/** Files that are kept: a site has few of them. */
const MOST = 50;

/** Returns the name of the file that joins style sheets, by theirs without `.css`: `site.<hash>.fonts-Inter-none.<hash>.css`. */
export const joinedName = (stems: string[]): string => `${stems.join(".")}.css`;

/** Returns what finds such a file by its name: `site`, then others of `SHEETS` in their order, then one of fonts. */
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

/** Whether style sheets are in the one order that is served: each other one would be joined and compressed for itself. */
function areInOrder(stems: string[]): boolean {
  const places = stems
    .map((stem) => SHEETS.indexOf(stem.split(".")[0]!))
    .map((place) => (place < 0 ? SHEETS.length : place));
  return places[0] === 0 && places.every((place, at) => at === 0 || place > places[at - 1]!);
}
