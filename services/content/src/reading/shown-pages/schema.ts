import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { Page } from "../../pages/schema.js";

export const GetShownPage = z.object({
  ...{ spaceId: id, revisionId: id, pageId: id },
  /** Whether where the page lies in git is wanted, which is shown where the site shows edit links. */
  metadata: z.boolean().default(false),
});

export const ShownPage = z.object({
  page: Page,
  /** The JSON of its rich document, evaluated: a text is handed on unread until somebody draws it. */
  document: z.string(),
});

export const LocatePage = z.object({
  ...{ spaceId: id, revisionId: id },
  path: text(2048, 1),
  /** What a visitor claims for whom a service asks; of all others it is known. */
  claims: z.record(z.string(), z.unknown()).optional(),
});

export const LocatedPage = z.object({ pageId: z.string(), path: z.string() });
