import { auditOf, createAudit } from "@octavo/shared/audit";
import type { Ctx } from "./trpc.js";

const audit = createAudit<Ctx>("sites");

// Each of them records a write inside its transaction.
export const auditSite = auditOf(audit, "site");
export const auditSiteSpace = auditOf(audit, "site-space");
export const auditShareLink = auditOf(audit, "share-link");
