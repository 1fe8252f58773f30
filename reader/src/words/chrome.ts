import type { Words } from "@octavo/html/words";

/** The words of the frame around a page, and those in documents that no author wrote. */
export interface Chrome {
  skip: string;
  search: string;
  searchIn: string;
  menu: string;
  theme: string;
  sections: string;
  variants: string;
  breadcrumbs: string;
  outline: string;
  previous: string;
  next: string;
  changed: string;
  markdown: string;
  copyPage: string;
  print: string;
  printAll: string;
  edit: string;
  notFound: string;
  notFoundText: string;
  near: string;
  home: string;
  away: string;
  awayText: string;
  /** What was asked of a page did not work: copying it, or saying what one thinks of it. */
  failed: string;
  poweredBy: string;
  helpful: string;
  thanks: string;
  nothing: string;
  inSection: string;
  inSite: string;
  close: string;
  enlarge: string;
  /** The question below a page, and what is said to it. */
  bad: string;
  ok: string;
  good: string;
  comment: string;
  privacy: string;
  contents: string;
  results: (count: number) => string;
  /** Leads to entries of a list that are left out. */
  more: (count: number) => string;
  document: Words;
}
