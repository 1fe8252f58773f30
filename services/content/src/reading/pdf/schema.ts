import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";

const choice = {
  page: id
    .optional()
    .describe("A page, which the PDF holds with all pages below it; without one it holds the whole space."),
  only: z.boolean().default(false).describe("Whether the PDF holds that page alone."),
};

/** Which PDF of a space is meant. */
export const GetPdf = z.object({ spaceId: id, ...choice });
/** Which PDF of a change request is meant. */
export const GetChangeRequestPdf = z.object({ spaceId: id, changeRequestId: id, ...choice });

export const Pdf = z
  .object({
    url: z
      .string()
      .describe("Where the PDF can be fetched for the next one to two hours, by whoever has the address."),
  })
  .meta({ id: "PDF" });
