import { dnsServers, neighbour, serviceConfig } from "@octavo/shared/config";
import { z } from "zod";

/** The environment of sites, which asks content. */
export const config = serviceConfig.extend({
  OCTAVO_CONTENT_URL: neighbour,
  /** Who is asked for the records that prove hostnames; without them the system's. */
  OCTAVO_DNS_SERVERS: dnsServers,
  /** After how many days events of visitors are deleted. */
  OCTAVO_INSIGHTS_DAYS: z.coerce.number().int().min(1).max(3650).default(400),
});
export type Config = z.output<typeof config>;
