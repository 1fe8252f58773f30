import type { Summary } from "@octavo/markdown/navigation/summary";

/** A text of a source, before it is a page. */
export interface SourceText {
  /** Where it lies in the source, `/` between its parts: relative addresses in it start there. */
  path: string;
  markdown: string;
  /** When the text has no heading of its own. */
  title?: string;
  description?: string;
  /** Its frontmatter before it was converted. */
  frontmatter?: Record<string, unknown>;
  /** What files beside it are called, by their addresses. */
  names?: Record<string, string>;
}

/** What a source holds: its texts, and what they may point to. */
export interface Material {
  texts: SourceText[];
  /** The text of a table of contents, and where it lies. */
  summary?: { path: string; text: string };
  /** A table of contents that the source has in a form of its own; files are paths of texts. */
  navigation?: Summary;
  /** The path as pages show it; as it is by default. */
  shown?(path: string): string;
  /** The path of what an address in a text leads to, in the form of `path`; undefined for what is elsewhere. */
  resolve(from: string, address: string): { path: string; anchor?: string } | undefined;
  /** What a file of the source is called; the end of its path by default. */
  nameOf?(path: string): string | undefined;
  /** The content of a file of the source, or undefined when there is none, or it is too large. */
  file(path: string): Promise<Buffer | undefined>;
  /** Lets go of what the files are read from. */
  close?(): Promise<void>;
}

/** Most pages of one import, and bytes of one text. */
export const MOST_PAGES = 1000;
export const LARGEST_TEXT = 5 * 1024 * 1024;
/** Most files that pages point to, bytes of one, and bytes of all. */
export const MOST_FILES = 1000;
export const LARGEST_FILE = 25 * 1024 * 1024;
export const MOST_FILE_BYTES = 200 * 1024 * 1024;
/** Bytes of what is fetched as one. */
export const LARGEST_DOWNLOAD = 100 * 1024 * 1024;
