import { publishing } from "./publishing/router.js";
import { publishingAuth } from "./publishing-auth/router.js";
import { siteSpaces } from "./site-spaces/router.js";
import { sites } from "./sites/router.js";
import { router as mount } from "./trpc.js";

export const router = mount({ sites, siteSpaces, publishing, publishingAuth });
export type SitesRouter = typeof router;
