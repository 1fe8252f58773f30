import { posix } from "node:path";
import type { Summary } from "@octavo/markdown/navigation/summary";
import type { Dialect } from "../../documents/dialects/dialect.js";
import type { Texts } from "./items.js";

/** The documentation of another tool in an archive: where its pages and files lie, and what its navigation is. */
export interface Site {
  dialect: Dialect;
  /** The folder of the pages, with its slash; empty for the archive. */
  root: string;
  /** Folders that an absolute address is looked for in, besides that of the pages. */
  assets: string[];
  /** What addresses of pages begin with, besides a slash. */
  prefixes: string[];
  /** Whether numbers before names say the order alone. */
  numbered: boolean;
  /** Whether a text below the folder is a page. */
  isPage(path: string): boolean;
  /** The navigation, of the pages as they are written; undefined where the folders are it. Throws what cannot be read. */
  navigation(texts: Texts): Promise<Summary["nodes"] | undefined>;
}

/** The settings files of an archive, by their paths. */
export interface Settings {
  paths: string[];
  /** The text of a file; undefined when there is none, or it is too large. */
  text(path: string): Promise<string | undefined>;
}

/** The path with a name that lies nearest to the top. */
export function nearest(paths: string[], name: RegExp): string | undefined {
  let found: string | undefined;
  const depth = (path: string) => path.split("/").length;
  for (const path of paths)
    if (name.test(path) && (found === undefined || depth(path) < depth(found))) found = path;
  return found;
}

/** A folder as a prefix of paths. */
export const folderAt = (...parts: string[]): string => {
  const joined = posix.join("", ...parts);
  return joined === "." || joined === "" ? "" : `${joined.replace(/\/+$/, "")}/`;
};

/** The folder of a file, as a prefix of paths. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
