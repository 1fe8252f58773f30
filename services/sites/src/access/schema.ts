import { id, text, z } from "@octavo/shared/fields";

/** What the path of a request names. */
export const OneSite = z.object({ organizationId: id, siteId: id });
export const siteTitle = text(128, 2);
