import { devMode } from "./dev-mode/router.js";
import { events } from "./events/router.js";
import { installations } from "./installations/router.js";
import { ASSET } from "./integrations/assets.js";
import { integrations } from "./integrations/router.js";
import { tokens } from "./tokens/router.js";
import { router as mount } from "./trpc.js";

export const router = mount({ integrations, installations, events, devMode, tokens });
export type IntegrationsRouter = typeof router;

/** What streams bytes and is answered without a token. */
export const rawRoutes = [ASSET];
