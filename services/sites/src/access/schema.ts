import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** What the path of a request names. */
export const OneSite = z.object({ organizationId: id, siteId: id });
export const siteTitle = text(128, 2);
