import { neighbour, serviceConfig } from "@octavo/shared/config";
import { z } from "zod";

const { PORT, HOST, LOG_LEVEL, OCTAVO_BASE_URL, OCTAVO_SITES_URL, OCTAVO_SIGNING_KEY, OCTAVO_TRUSTED_KEYS } =
  serviceConfig.shape;

/** The reader's variables; it has no database and subscribes to no events. */
export const readerConfig = z.object({
  PORT,
  HOST,
  LOG_LEVEL,
  OCTAVO_BASE_URL,
  OCTAVO_SITES_URL,
  OCTAVO_SIGNING_KEY,
  OCTAVO_TRUSTED_KEYS,
  OCTAVO_CONTENT_URL: neighbour,
  OCTAVO_SITES_SERVICE_URL: neighbour,
});
