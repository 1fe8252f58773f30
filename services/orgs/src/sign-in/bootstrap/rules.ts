// The first start: an organization, its administrator, and the token to begin with.

import { transact } from "@octavo/shared/database/transact";
import * as tokens from "../../accounts/tokens/issue.js";
import * as users from "../../accounts/users/accounts.js";
import { auditToken } from "../../audit/audit.js";
import { establish, vouchFor } from "../../organization/organizations/establish.js";
import { administeredBy } from "../../organization/organizations/load.js";
import type { Call } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Ensure, Vouch } from "./schema.js";

/**
 * Makes what is missing and leaves what is there, however often and by however many starters at once it is called.
 * A known token identifies the user, else the e-mail address does.
 */
export function ensure({ ctx, input: { token, ...input } }: Call<typeof Ensure>) {
  return transact(ctx, async (ctx) => {
    await queries.takeTurn(ctx);
    const holder = await tokens.holderOf(ctx, token);
    const user = holder ?? (await users.register(ctx, input.user)).id;
    const label = "First administrator";
    const adopted = holder ? undefined : await tokens.adopt(ctx, token, { person: user, label });
    const known = await administeredBy(ctx, user);
    const organization =
      known ?? (await establish(ctx, user, { ...input.organization, type: "business" })).id;
    if (adopted) await auditToken(ctx, "token.create", { id: adopted, organization }, { user, label });
    return { organization, user, created: !known };
  });
}

/** Has an organization name the domains too, if it does not, and verified. */
export function vouch({ ctx, input: { organization, emailDomains } }: Call<typeof Vouch>) {
  return transact(ctx, (ctx) => vouchFor(ctx, organization, emailDomains));
}
