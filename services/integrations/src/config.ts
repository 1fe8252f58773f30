import { neighbour, serviceConfig } from "@octavo/shared/config";
import type { z } from "zod";

/** The environment of integrations, which asks orgs, content and sites. */
export const config = serviceConfig.extend({
  OCTAVO_ORGS_URL: neighbour,
  OCTAVO_CONTENT_URL: neighbour,
  OCTAVO_SITES_SERVICE_URL: neighbour,
});
export type Config = z.output<typeof config>;
