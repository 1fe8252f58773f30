import { auditOf, createAudit } from "@octavo/shared/audit";
import type { Ctx } from "./trpc.js";

const audit = createAudit<Ctx>("integrations");

// Each of them records a write inside its transaction.
const auditNamed = auditOf(audit, "integration");
export const auditInstallation = auditOf(audit, "installation");
export const auditWebhook = auditOf(audit, "webhook");
export const auditContentInstallation = auditOf(audit, "contentInstallation");

/** An integration is named as in its address. */
export const auditIntegration = (
  ctx: Ctx,
  action: `integration.${string}`,
  { name, organization }: { name: string; organization: string },
  details?: Parameters<typeof auditNamed>[3],
) => auditNamed(ctx, action, { id: name, organization }, details);
