import { segment, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { storable } from "../installations/configuration.js";

const DAY_S = 86_400;

export const Create = z.object({
  integrationName: segment,
  task: z
    .record(text(200), z.unknown())
    .refine(storable, "must hold no NUL character, no broken Unicode and at most 100 000 bytes"),
  /** In how many seconds; at once when absent. */
  schedule: z.number().min(0).max(DAY_S).default(0),
});
