import { text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** The pages and files of a computed revision, as the script returned them. */
export const ComputedRevision = z.object({
  pages: z.array(z.unknown()).max(5_000).optional(),
  files: z.array(z.unknown()).max(5_000).optional(),
});
/** A computed document, as the script returned it. */
export const ComputedDocument = z.object({ document: z.looseObject({ object: z.literal("document") }) });

const source = z.object({ type: text(400, 1), props: z.record(z.string(), z.unknown()).optional() });

/** A file as scripts send it. */
export const SentFile = z.object({
  id: text(200, 1).optional(),
  name: text(255, 1),
  contentType: text(255, 1),
  downloadURL: text(2048, 1),
  size: z.number().int().min(0),
});

/** A page as scripts send it, as far as it can be shown; others are left out. */
export const SentPage = z.object({
  type: z.enum(["document", "group"]),
  id: text(200, 1).optional(),
  title: text(200, 1),
  slug: text(200, 1).optional(),
  description: text(1000).optional(),
  emoji: text(50).optional(),
  icon: text(50).optional(),
  document: z.looseObject({ object: z.literal("document") }).optional(),
  markdown: text(200_000).optional(),
  computed: source.optional(),
  pages: z.array(z.unknown()).max(5_000).optional(),
});
