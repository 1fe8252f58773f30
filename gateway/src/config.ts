import { neighbour, serviceConfig } from "@octavo/shared/config";
import { z } from "zod";

const { PORT, HOST, LOG_LEVEL, NATS_URL, OCTAVO_SIGNING_KEY, OCTAVO_TRUSTED_KEYS } = serviceConfig.shape;
const { OCTAVO_BASE_URL, OCTAVO_APP_URL, OCTAVO_SITES_URL, OCTAVO_SITES_DOMAIN } = serviceConfig.shape;
const perMinute = (standard: number) => z.coerce.number().int().min(1).default(standard);

/** The gateway's variables; it has no database. */
export const gatewayConfig = z.object({
  PORT,
  HOST,
  LOG_LEVEL,
  NATS_URL,
  OCTAVO_BASE_URL,
  OCTAVO_APP_URL,
  OCTAVO_SITES_URL,
  OCTAVO_SITES_DOMAIN,
  OCTAVO_SIGNING_KEY,
  OCTAVO_TRUSTED_KEYS,
  OCTAVO_ORGS_URL: neighbour,
  OCTAVO_CONTENT_URL: neighbour,
  OCTAVO_SITES_SERVICE_URL: neighbour,
  OCTAVO_INTEGRATIONS_URL: neighbour,
  /** The reader, which shows published sites; without it they are read elsewhere. */
  OCTAVO_READER_URL: neighbour.optional(),
  /** Requests a minute and token, at each gateway. */
  OCTAVO_RATE_READS: perMinute(300_000),
  OCTAVO_RATE_WRITES: perMinute(60_000),
  /** Requests for published sites a minute and address; what is made of many pages counts as many. */
  OCTAVO_RATE_PAGES: perMinute(60_000),
  /** Unknown tokens, or unknown hosts, a minute and address, before the address has to wait. */
  OCTAVO_RATE_FAILURES: perMinute(3_000),
  /** Requests of sign-ins a minute and address; one sign-in takes three. */
  OCTAVO_RATE_SIGN_INS: perMinute(600),
  /** Requests a minute and address to the public endpoints of integrations, at each gateway. */
  OCTAVO_RATE_VISITS: perMinute(6_000),
  /** Connections of one address at a time; not counted behind trusted proxies. */
  OCTAVO_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(4_000),
  /** Largest request body in bytes; operations allow less, most of them 256 KiB. */
  OCTAVO_BODY_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(32 * 1024 * 1024),
  /** Time in ms that a service has to begin its response. */
  OCTAVO_UPSTREAM_TIMEOUT: z.coerce.number().int().min(100).default(60_000),
  /** How many proxies stand in front and add to `x-forwarded-for`. */
  OCTAVO_TRUSTED_HOPS: z.coerce.number().int().min(0).default(0),
});
export type GatewayConfig = z.output<typeof gatewayConfig>;

export const SERVICE_NAMES = ["orgs", "content", "sites", "integrations"] as const;
export type UpstreamName = (typeof SERVICE_NAMES)[number];
export type Upstreams = Record<UpstreamName, string>;

/** Base addresses of the services. */
export function upstreamsOf(config: GatewayConfig): Upstreams {
  return {
    orgs: config.OCTAVO_ORGS_URL,
    content: config.OCTAVO_CONTENT_URL,
    sites: config.OCTAVO_SITES_SERVICE_URL,
    integrations: config.OCTAVO_INTEGRATIONS_URL,
  };
}
