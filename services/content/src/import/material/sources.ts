/** The kinds of sources that an import reads from an address. */
export const SOURCES = [
  "website",
  "docx",
  "markdown",
  "html",
  "zip",
  "confluence",
  "github-wiki",
  "notion",
  "google-docs",
] as const;
export type Source = (typeof SOURCES)[number];
