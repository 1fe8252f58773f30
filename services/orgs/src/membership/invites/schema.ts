import { id, listOf, paging, roleOrGuest, timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** An e-mail address, kept in lower case. */
export const email = z.email("must be an e-mail address").max(254).toLowerCase();

const organization = { organizationId: id };
const key = { ...organization, inviteId: id };

export const Send = z.object({
  ...organization,
  emails: z
    .array(z.union([email, z.object({ email, role: roleOrGuest })]))
    .min(1)
    .max(100),
  /** For the addresses without a role of their own; the organization's default role when absent. */
  role: roleOrGuest.optional(),
  /** They are to sign in through the organization's identity provider. */
  sso: z.boolean().default(false),
});
export const List = z.object({ ...organization, ...paging });
export const Revoke = z.object(key);
export const Accept = z.object(key);
export const Join = z.object(organization);

/**
 * Who was invited. Without mail, whoever invites passes on what stands in `urls` (a POST there accepts the invite) and, for
 * addresses that had no account, in `tokens` (what the new account signs in with, shown once).
 */
export const Sent = z
  .object({
    users: z.array(z.string()),
    invited: z.number().int(),
    /** The addresses outside the organization's domains, which were not invited. */
    failedSSOEmails: z.array(z.string()).optional(),
    urls: z.record(z.string(), z.string()),
    tokens: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: "SentOrganizationInvites" });
export const Accepted = z.object({});

export const Invite = z
  .object({
    object: z.literal("invite"),
    id: z.string(),
    email: z.string(),
    role: roleOrGuest,
    sso: z.boolean(),
    createdAt: timestamp,
    expiresAt: timestamp.optional(),
    urls: urls("location"),
  })
  .meta({ id: "OrganizationInvite" });
export type Invite = z.output<typeof Invite>;
export const Invites = listOf(Invite);

/** What a link leads to besides the organization: content, by its id. */
export const Target = z.object({ type: z.enum(["space", "collection"]), id });
export type Target = z.output<typeof Target>;
