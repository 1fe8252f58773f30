import { neighbour, serviceConfig } from "@octavo/shared/config";
import { z } from "zod";

/** The environment of integrations, which asks orgs, content and sites. */
export const config = serviceConfig.extend({
  OCTAVO_ORGS_URL: neighbour,
  OCTAVO_CONTENT_URL: neighbour,
  OCTAVO_SITES_SERVICE_URL: neighbour,
  /** Where scripts reach the interface, where that is not its public base. */
  OCTAVO_GATEWAY_URL: neighbour.optional(),
  /** The program that runs scripts, where it is not the one from npm. */
  OCTAVO_WORKERD: z.string().optional(),
  /** Milliseconds that a script may take to handle an event. */
  OCTAVO_SCRIPT_TIMEOUT: z.coerce.number().int().min(100).max(50_000).default(10_000),
  /** MB of memory that the scripts of one organization may take together. */
  OCTAVO_SCRIPT_MEMORY: z.coerce.number().int().min(768).max(16_384).default(768),
  /** Days for which delivered events are kept. */
  OCTAVO_EVENT_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
});
export type Config = z.output<typeof config>;
