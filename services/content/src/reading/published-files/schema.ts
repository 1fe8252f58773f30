import { id } from "@octavo/shared/contracts/fields";
import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { z } from "zod";

export const ListPublished = z.object({ spaceId: id, revisionId: id });
/** The hash of the content of each file, by which it has an address that lasts. */
export const PublishedFiles = skipOutputValidation(
  z.object({ items: z.array(z.object({ id: z.string(), hash: z.string() })) }),
);
