import { auditOf, createAudit } from "@octavo/shared/audit";
import { keep } from "./keep.js";

/** Records a write of this service, inside its transaction. What concerns no organization is shown to none. */
export const audit = createAudit("orgs", keep);

// The same for one kind of things each.
export const auditMember = auditOf(audit, "member");
export const auditOrganization = auditOf(audit, "organization");
export const auditServiceAccount = auditOf(audit, "service-account");
export const auditTeam = auditOf(audit, "team");
/** A token that is bound to an organization is its business, any other its user's alone. */
export const auditToken = auditOf(audit, "token");
export const auditUser = auditOf(audit, "user");
