import { neighbour, serviceConfig } from "@octavo/shared/config";

/** What integrations reads besides what every service reads: where orgs is. */
export const config = serviceConfig.extend({ OCTAVO_ORGS_URL: neighbour });
