import { id, segment, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { storable } from "../installations/configuration.js";

const values = z.record(text(1000), z.unknown()).refine(storable, "must be storable, at most 100 000 bytes");

/** What a computed source is asked for, by the service that keeps the space. */
const asked = {
  integrationName: segment,
  spaceId: id,
  /** One of the content sources that the integration declares. */
  sourceId: text(200, 1),
  props: values,
  /** What the source depends on, by name: `{ ref, value }`. */
  dependencies: values,
};
export const Compute = z.object(asked);

const page = z.looseObject({ type: z.string() });
const file = z.looseObject({ id: z.string() });
/** The pages and files of a computed revision, as the script returned them. */
export const ComputedRevision = z.object({
  pages: z.array(page).max(5_000).optional(),
  files: z.array(file).max(5_000).optional(),
});
/** A computed document, as the script returned it. */
export const ComputedDocument = z.object({ document: z.looseObject({ object: z.literal("document") }) });
