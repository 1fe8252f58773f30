import { adaptiveSchema } from "./adaptive-schema/router.js";
import { ads } from "./ads/router.js";
import { customHostnames } from "./custom-hostnames/router.js";
import { customization, siteSpaceCustomization } from "./customization/router.js";
import { fonts } from "./fonts/router.js";
import { injectedScripts } from "./injected-scripts/router.js";
import { insights } from "./insights/router.js";
import { mcpServers } from "./mcp-servers/router.js";
import { preview } from "./preview/router.js";
import { publishing } from "./publishing/router.js";
import { publishingAuth } from "./publishing-auth/router.js";
import { redirects } from "./redirects/router.js";
import { releases } from "./releases/router.js";
import { search } from "./search/router.js";
import { sectionGroups } from "./section-groups/router.js";
import { sections } from "./sections/router.js";
import { shareLinks } from "./share-links/router.js";
import { siteSpaces } from "./site-spaces/router.js";
import { sites } from "./sites/router.js";
import { structure } from "./structure/router.js";
import { router as mount } from "./trpc.js";
import { urls } from "./urls/router.js";
import { visitorIntegrations } from "./visitor-integrations/router.js";

export const router = mount({
  sites,
  siteSpaces,
  sections,
  sectionGroups,
  structure,
  shareLinks,
  adaptiveSchema,
  publishing,
  publishingAuth,
  visitorIntegrations,
  injectedScripts,
  preview,
  customization,
  siteSpaceCustomization,
  redirects,
  releases,
  fonts,
  insights,
  mcpServers,
  ads,
  search,
  customHostnames,
  urls,
});
export type SitesRouter = typeof router;
