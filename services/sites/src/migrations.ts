import * as sites from "./migrations/0001-sites.js";
import * as publishingAuth from "./migrations/0002-publishing-auth.js";
import * as toldSites from "./migrations/0003-told-sites.js";
import * as signedEvents from "./migrations/0004-signed-events.js";
import * as shareLinks from "./migrations/0005-share-links.js";
import * as adaptiveSchema from "./migrations/0006-adaptive-schema.js";
import * as customization from "./migrations/0007-customization.js";
import * as redirects from "./migrations/0008-redirects.js";
import * as structure from "./migrations/0009-structure.js";
import * as insights from "./migrations/0010-insights.js";
import * as mcpServers from "./migrations/0011-mcp-servers.js";
import * as fonts from "./migrations/0012-fonts.js";
import * as redirectsToSections from "./migrations/0013-redirects-to-sections.js";
import * as audienceEpoch from "./migrations/0014-audience-epoch.js";
import * as hostnames from "./migrations/0015-hostnames.js";
import * as releases from "./migrations/0016-releases.js";
import * as visitorIntegrations from "./migrations/0017-visitor-integrations.js";
import * as ads from "./migrations/0018-ads.js";
import * as injectedScripts from "./migrations/0019-injected-scripts.js";

/** Applied in order of their names; forward only. */
export const migrations = {
  "0001-sites": sites,
  "0002-publishing-auth": publishingAuth,
  "0003-told-sites": toldSites,
  "0004-signed-events": signedEvents,
  "0005-share-links": shareLinks,
  "0006-adaptive-schema": adaptiveSchema,
  "0007-customization": customization,
  "0008-redirects": redirects,
  "0009-structure": structure,
  "0010-insights": insights,
  "0011-mcp-servers": mcpServers,
  "0012-fonts": fonts,
  "0013-redirects-to-sections": redirectsToSections,
  "0014-audience-epoch": audienceEpoch,
  "0015-hostnames": hostnames,
  "0016-releases": releases,
  "0017-visitor-integrations": visitorIntegrations,
  "0018-ads": ads,
  "0019-injected-scripts": injectedScripts,
};
