/** What a page that is a link leads to. */
export interface LinkTarget {
  kind: string;
  [field: string]: unknown;
}

/** How a page is shown, where it says so itself. */
export interface LayoutProps {
  width?: unknown;
  cover?: unknown;
  coverSize?: unknown;
  title?: unknown;
  description?: unknown;
  tableOfContents?: unknown;
  outline?: unknown;
  pagination?: unknown;
  metadata?: unknown;
}

/** The properties of a page, as its entry keeps them. */
export interface PageProps {
  type: "document" | "group" | "link" | "computed";
  emoji?: string;
  icon?: string;
  description?: string;
  layout?: LayoutProps;
  cover?: { ref?: unknown; refDark?: unknown; yPos?: number };
  variables?: Record<string, string | number | boolean>;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
  linkTitle?: string;
  /** A document of nothing but its title. */
  empty?: true;
  target?: LinkTarget;
  computed?: { type: string; [field: string]: unknown };
}

/** The properties of a file, as its entry keeps them. */
export interface FileProps {
  contentType: string;
  /** Bytes. */
  size: number;
  /** Pixels; only of images. */
  dimensions?: { width: number; height: number };
}
