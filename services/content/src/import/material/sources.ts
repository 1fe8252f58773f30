/** What an import may be told that lies at an address. */
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
