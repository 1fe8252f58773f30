import { transact } from "@octavo/shared/database/transact";
import * as tokens from "../../accounts/tokens/issue.js";
import * as users from "../../accounts/users/accounts.js";
import type { Ctx } from "../../trpc.js";
import { isExpired } from "./admission.js";
import { secretOf } from "./email.js";
import * as queries from "./queries.js";
import { acceptVouched } from "./rules/accept.js";

/**
 * Accepts the invite whose code came by mail, as the person whose address it was sent to: who has it reads their mail,
 * which confirms the address. Returns a token of theirs; undefined for what is no code of an invite, or no longer.
 */
export function redeem(ctx: Ctx, code: string) {
  return transact(ctx, async (ctx) => {
    const invite = await queries.findMailed(ctx, secretOf(code));
    if (!invite || invite.email === null || isExpired(ctx, invite)) return undefined;
    const { organization: organizationId, id: inviteId } = invite;
    const { id, name } = await users.ofAddress(ctx, invite.email);
    const caller = { kind: "user" as const, id, name, organizations: {}, teams: [], token: "" };
    const own = { ...ctx, caller };
    await acceptVouched({ ctx: own, input: { organizationId, inviteId } });
    await users.confirm(ctx, id, invite.email);
    return tokens.makeOwn(own, "Invite");
  });
}
