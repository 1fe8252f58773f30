import { createAudit } from "@octavo/shared/audit";
import { keep } from "./audit-events/queries.js";

/** Records a write of this service, inside its transaction. What concerns no organization is shown to none. */
export const audit = createAudit("orgs", keep);
