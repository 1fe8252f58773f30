import { segment } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const Enable = z.object({
  integrationName: segment,
  tunnelUrl: z.url({ protocol: /^https?$/ }).max(256),
  all: z.boolean().default(false),
});
export const Disable = z.object({ integrationName: segment });
