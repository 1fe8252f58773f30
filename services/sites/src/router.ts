import { adaptiveSchema } from "./adaptive-schema/router.js";
import { preview } from "./preview/router.js";
import { publishing } from "./publishing/router.js";
import { publishingAuth } from "./publishing-auth/router.js";
import { shareLinks } from "./share-links/router.js";
import { siteSpaces } from "./site-spaces/router.js";
import { sites } from "./sites/router.js";
import { router as mount } from "./trpc.js";

export const router = mount({
  sites,
  siteSpaces,
  shareLinks,
  adaptiveSchema,
  publishing,
  publishingAuth,
  preview,
});
export type SitesRouter = typeof router;
