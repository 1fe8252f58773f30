import type { Ref } from "@octavo/markdown/document/refs";

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

// Types, not interfaces, where entries are combined field by field: these fit where any field is allowed.

/** The properties of a page of any type. */
export type CommonPageProps = {
  emoji?: string;
  icon?: string;
  description?: string;
  layout?: LayoutProps;
  cover?: { ref?: Ref; refDark?: Ref; yPos?: number };
  variables?: Record<string, string | number | boolean>;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
  linkTitle?: string;
  /** A document of nothing but its title. */
  empty?: true;
  /** Of an imported file that stands in the table of contents several times: which of these pages it is, from 0. */
  occurrence?: number;
};

/** The properties of a page, as its entry keeps them. */
export type PageProps = CommonPageProps &
  (
    | { type: "document" | "group" }
    | { type: "link"; target: Ref }
    | { type: "computed"; computed: { type: string; [field: string]: unknown } }
  );

/** The properties of a file, as its entry keeps them. */
export type FileProps = {
  contentType: string;
  /** Bytes. */
  size: number;
  /** Pixels; only of images. */
  dimensions?: { width: number; height: number };
};

/** Reusable content has no properties besides its title and text. */
export type ReusableContentProps = Record<string, never>;

/** What a variable stands for. */
export type VariableProps = { value: string | number | boolean };
