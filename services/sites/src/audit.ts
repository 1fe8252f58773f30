import { auditOf, createAudit } from "@octavo/shared/audit";
import type { Ctx } from "./trpc.js";

const audit = createAudit<Ctx>("sites");

// Each of them records a write inside its transaction.
export const auditSite = auditOf(audit, "site");
export const auditSiteSection = auditOf(audit, "site-section");
export const auditSiteSectionGroup = auditOf(audit, "site-section-group");
export const auditFont = auditOf(audit, "font");
export const auditSiteSpace = auditOf(audit, "site-space");
export const auditShareLink = auditOf(audit, "share-link");
