import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const GetDocument = z.object({
  spaceId: id,
  documentId: id,
  /** Both are the same: there is one version of the schema. */
  schema: z.enum(["current", "next"]).default("current"),
});
