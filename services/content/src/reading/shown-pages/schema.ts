import type { Ref } from "@octavo/markdown/document/refs";
import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { keptRef, Page, type PageShape } from "../../pages/schema.js";

export const GetShownPage = z.object({
  spaceId: id,
  revisionId: id,
  pageId: id,
  /** Whether where the page lies in git is wanted, which is shown where the site shows edit links. */
  metadata: z.boolean().default(false),
});

export const ShownPage = z.object({
  page: Page,
  /** The JSON of its rich document, evaluated: a text is handed on unread until somebody draws it. */
  document: z.string(),
});

export const GetShownSpace = z.object({ spaceId: id, revisionId: id });

/** What is shown of a page, group or link around other pages. */
export interface ShownEntry {
  id: string;
  type: PageShape["type"];
  title: string;
  emoji?: string;
  icon?: string;
  description?: string;
  /** Absent for links. */
  path?: string;
  /** What a link leads to. */
  target?: Ref;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  /** When it was changed last, or else created. */
  updatedAt?: string;
  /** How long it takes to draw a page, as a number of bytes. */
  length?: number;
  /** Of pages and groups. */
  pages?: ShownEntry[];
}

const ShownEntry: z.ZodType<ShownEntry> = z.strictObject({
  id: z.string(),
  type: z.enum(["document", "group", "link", "computed"]),
  title: z.string(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  description: z.string().optional(),
  path: z.string().optional(),
  target: keptRef.optional(),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  updatedAt: z.string().optional(),
  length: z.int().optional(),
  get pages(): z.ZodOptional<z.ZodArray<z.ZodType<ShownEntry>>> {
    return z.array(ShownEntry).optional();
  },
});

/** The pages of a space as a tree, and its files with the hashes of what they hold. */
export const ShownSpace = z.object({
  pages: z.array(ShownEntry),
  files: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      hash: z.string(),
      size: z.number(),
      dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    }),
  ),
});

export const LocatePage = z.object({
  spaceId: id,
  revisionId: id,
  path: text(2048, 1),
  /** What a visitor claims for whom a service asks; of all others it is known. */
  claims: z.record(z.string(), z.unknown()).optional(),
});

export const LocatedPage = z.object({ pageId: z.string(), path: z.string() });
