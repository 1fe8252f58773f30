import { neighbour, serviceConfig } from "@octavo/shared/config";
import type { z } from "zod";

/** The environment of sites, which asks content. */
export const config = serviceConfig.extend({ OCTAVO_CONTENT_URL: neighbour });
export type Config = z.output<typeof config>;
