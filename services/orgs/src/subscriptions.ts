import { listeners as auditEvents } from "./audit-events/listeners.js";

/** All that orgs listens to. */
export const subscriptions = [...auditEvents];
