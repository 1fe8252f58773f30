import { createAudit, type Deed } from "@octavo/shared/audit";
import type { Ctx } from "./trpc.js";

const audit = createAudit<Ctx>("sites");

interface Owned {
  id: string;
  organization: string;
}

const auditOf =
  <Thing extends string>(type: Thing) =>
  (ctx: Ctx, action: `${Thing}.${string}`, { id, organization }: Owned, details?: Deed["details"]) =>
    audit(ctx, { organization, action, target: { type, id }, details });

// Each of them records a write inside its transaction.
export const auditSite = auditOf("site");
export const auditSiteSpace = auditOf("site-space");
