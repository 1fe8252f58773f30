import type { FileTarget, Target } from "@octavo/html/page";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Content, Icon } from "./element.js";

/** What a PDF is made of. All of it is known before: drawing asks nobody. */
export interface Book {
  title: string;
  /** Stands below the title. */
  subtitle?: string;
  emoji?: string;
  /** What identifies this edition: a date, a revision. */
  edition: string[];
  /** A tag of BCP 47, such as `pt-BR`. */
  language: string;
  /** Only these pages, without a title page and contents of their own. */
  isExcerpt: boolean;
  /** The pages in their order, each after the one it lies below. */
  pages: BookPage[];
  /** What references lead to that name no page of the book. */
  link(ref: Ref): Target | undefined;
  /** A file; its `href` is the name that the typesetter is given it by, and the empty text when it is not an image. */
  file(ref: Ref): FileTarget | undefined;
  /** The document that is included. */
  reusable(ref: Ref): JSONDocument | undefined;
}

/** A page or a group of pages. */
export interface BookPage {
  id: string;
  title: string;
  description?: string;
  /** Code points of an emoji, or the name of an icon. */
  emoji?: string;
  icon?: string;
  /** 0 for those at the top. */
  depth: number;
  /** Undefined for a group. */
  document?: JSONDocument;
  cover?: Ref;
  /** A link to elsewhere in place of a document. */
  target?: Ref;
}

/** A PDF as the typesetter is given it: data alone. */
export interface Sheet {
  title: string;
  subtitle?: string;
  emoji?: string;
  edition: string[];
  language: string;
  region?: string;
  dir: "ltr" | "rtl";
  isExcerpt: boolean;
  words: { contents: string };
  fonts: { sans: string[]; mono: string[] };
  chapters: Chapter[];
  /** The files that are shown, by the names that the sheet gives them. */
  images: string[];
}

/** A page of the book, drawn. */
export interface Chapter {
  label: string;
  level: number;
  title: Content;
  /** The direction of the title. */
  dir: "ltr" | "rtl";
  description?: Content;
  emoji?: string;
  icon?: Icon;
  cover?: string;
  /** Whether it begins on a new sheet. */
  breaks: boolean;
  /** Whether the contents list it. */
  listed: boolean;
  isGroup: boolean;
  body: Content;
}
