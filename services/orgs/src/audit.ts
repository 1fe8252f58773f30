import { userOf } from "@octavo/shared/access";
import { createAudit, type Deed } from "@octavo/shared/audit";
import { keep } from "./audit-events/queries.js";
import type { Ctx } from "./trpc.js";

/** Records a write of this service, inside its transaction. */
export const audit = createAudit("orgs", keep);

/** Records what users do to their own accounts: it is the business of each organization that they are in. */
export async function auditOwn(ctx: Ctx, deed: Omit<Deed, "organization">): Promise<void> {
  const organizations = Object.keys(userOf(ctx).organizations);
  for (const organization of organizations.length > 0 ? organizations : [null]) {
    await audit(ctx, { ...deed, organization });
  }
}
