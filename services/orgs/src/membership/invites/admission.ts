// Who may come in by which address.

import { refuse } from "@octavo/shared/errors";
import type { Account } from "../../accounts/users/accounts.js";
import type { Row as InviteRow } from "../../admission/queries.js";
import type { Row } from "../../organization/organizations/queries.js";
import type { Ctx } from "../../trpc.js";

/** What stands behind the last `@`. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1);

/** Whether the organization lets in who has the address: it names no domains, or this one's. */
export const admits = ({ email_domains: domains }: Pick<Row, "email_domains">, email: string): boolean =>
  domains.length === 0 || domains.includes(domainOf(email));

/** Whether the address is confirmed, and its domain one of those, which the organization verified. */
export const isOfDomains = (domains: string[], { email, emailVerified }: Account): boolean =>
  emailVerified && email !== undefined && domains.includes(domainOf(email));

export function refuseOutside(): never {
  refuse(
    "FORBIDDEN",
    "Invite: your confirmed e-mail address is in none of the organization's verified domains",
    {
      reason: "outside_email_domains",
    },
  );
}

export const isExpired = ({ clock }: Ctx, { expires_at }: Pick<InviteRow, "expires_at">) =>
  expires_at !== null && Date.parse(expires_at) <= clock().getTime();

export function alreadyMember(): never {
  refuse("CONFLICT", "Member: you are a member of the organization already", { reason: "already_member" });
}
