import { neighbour, serviceConfig } from "@octavo/shared/config";

/** Sites calls content, which stands below it. */
export const config = serviceConfig.extend({ OCTAVO_CONTENT_URL: neighbour });
