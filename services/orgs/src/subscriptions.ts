import { listeners as auditEvents } from "./audit-events/listeners.js";
import { listeners as grantedSpaces } from "./granted-spaces/listeners.js";
import { listeners as visitorAuth } from "./organization/visitor-auth/listeners.js";

/** All that orgs listens to. */
export const subscriptions = [...auditEvents, ...grantedSpaces, ...visitorAuth];
