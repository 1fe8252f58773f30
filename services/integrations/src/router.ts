import { installationSites } from "./content-installations/sites/router.js";
import { installationSpaces } from "./content-installations/spaces/router.js";
import { devMode } from "./dev-mode/router.js";
import { events } from "./events/router.js";
import { installations } from "./installations/router.js";
import { ASSET } from "./integrations/assets.js";
import { integrations } from "./integrations/router.js";
import {
  PUBLIC_ENDPOINTS,
  PUBLISHED_SCRIPTS,
  VISITOR_AUTHENTICATION,
} from "./public-endpoints/declarations.js";
import { render } from "./render/router.js";
import { siteIntegrations } from "./site-integrations/router.js";
import { spaceIntegrations } from "./space-integrations/router.js";
import { tasks } from "./tasks/router.js";
import { tokens } from "./tokens/router.js";
import { router as mount } from "./trpc.js";
import { webhookDeliveries } from "./webhooks/deliveries/router.js";
import { webhooks } from "./webhooks/router.js";

export const router = mount({
  integrations,
  installations,
  installationSpaces,
  installationSites,
  spaceIntegrations,
  siteIntegrations,
  events,
  tasks,
  devMode,
  tokens,
  render,
  webhooks,
  webhookDeliveries,
});
export type IntegrationsRouter = typeof router;

/** Routes that stream bytes and are served without a token. */
export const rawRoutes = [ASSET, ...PUBLIC_ENDPOINTS, ...PUBLISHED_SCRIPTS, VISITOR_AUTHENTICATION];
