import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { h } from "preact";
import type { Html } from "./scope.js";

const { resolve } = createRequire(import.meta.url);

/** The packages of Font Awesome: the filled form of an icon comes before its outlined form. */
const PACKS = ["solid", "brands", "regular"].map((style) => {
  const folder = dirname(resolve(`@fortawesome/free-${style}-svg-icons/package.json`));
  return { folder, files: filesIn(folder) };
});

/** The files of a package, each of which is one icon such as `faArrowDown.js`, by the icon's name as `plain` returns it. */
function filesIn(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    const name = /^fa([A-Z0-9]\w*)\.js$/.exec(file)?.[1];
    if (name !== undefined) files.set(name.toLowerCase(), file);
  }
  return files;
}

/** The name of an icon without its hyphens, which names of files do not have. */
const plain = (name: string): string => name.replace(/^fa-/, "").replaceAll("-", "");

/** The outline of an icon, and the box that it lies in. */
export interface Outline {
  box: string;
  path: string;
}

/** Those read so far, by plain names: at most as many as there are icons. */
const outlines = new Map<string, Outline>();

/** Finds the outline of an icon of Font Awesome by its name; undefined when there is no such icon. */
export function outlineOfIcon(name: string | undefined): Outline | undefined {
  if (name === undefined) return undefined;
  const key = plain(name);
  const known = outlines.get(key);
  if (known) return known;
  const pack = PACKS.find(({ files }) => files.has(key));
  if (!pack) return undefined;
  const outline = readOutline(pack.folder, pack.files.get(key)!);
  outlines.set(key, outline);
  return outline;
}

/**
 * Reads the outline in a file. It is read as text: modules are never released, and the packages' indexes, which import every
 * icon, take seven megabytes of each thread and forty milliseconds of its start.
 */
function readOutline(folder: string, file: string): Outline {
  const text = readFileSync(join(folder, file), "utf8");
  const other = /\brequire\('\.\/(fa\w+)'\)/.exec(text)?.[1];
  if (other !== undefined) return readOutline(folder, `${other}.js`);
  const constant = (name: string) => new RegExp(`^var ${name} = '?([^';]*)'?;$`, "m").exec(text)?.[1] ?? "";
  return { box: `0 0 ${constant("width")} ${constant("height")}`, path: constant("svgPathData") };
}

/** Draws an icon of Font Awesome by its name; nothing when there is no such icon. */
export function icon(name: string | undefined, className = "icon"): Html {
  const found = outlineOfIcon(name);
  if (!found) return undefined;
  const { box, path } = found;
  return h("svg", { class: className, viewBox: box, "aria-hidden": "true" }, h("path", { d: path }));
}
