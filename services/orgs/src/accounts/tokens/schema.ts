import { id, listOf, paging, text, time, timestamp, urls } from "@octavo/shared/contracts/fields";
import { ROLES } from "@octavo/shared/contracts/roles";
import { SCOPES } from "@octavo/shared/contracts/scopes";
import { z } from "zod";

export const List = z.object(paging);
export const Get = z.object({ tokenId: id });
export const Create = z.object({
  label: text(50, 1),
  /** Without scopes the token may do whatever its user may. */
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional(),
  expiresAt: time.optional(),
});
const member = { organizationId: id, userId: id };
export const ListOfMember = z.object({ ...member, ...paging });
export const GetOfMember = z.object({ ...member, tokenId: id });
export const CreateForMember = Create.extend(member);
export const Resolve = z.object({ token: z.string() });

const token = z.object({
  object: z.literal("token"),
  id: z.string(),
  label: z.string(),
  /** The only one that the token reaches; it reaches all of its user's when absent. */
  organization: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  createdAt: timestamp,
  lastUsedAt: timestamp.optional(),
  expiresAt: timestamp.optional(),
  urls: urls("location"),
});
export const Token = token.meta({ id: "UserAPIToken" });
export type Token = z.output<typeof Token>;
export const Tokens = listOf(Token);
/** The only response that ever holds the token itself. */
export const CreatedToken = token.extend({ token: z.string() }).meta({ id: "UserAPITokenExtended" });

/** Who a token stands for, as the gateway signs it. */
export const Resolved = z
  .object({
    caller: z.object({
      kind: z.literal("user"),
      id: z.string(),
      name: z.string(),
      email: z.string().optional(),
      photo: z.string().optional(),
      organizations: z.record(z.string(), z.enum(ROLES).nullable()),
      teams: z.array(z.string()),
      scopes: z.array(z.string()).optional(),
      token: z.string(),
    }),
    expiresAt: timestamp.nullable(),
  })
  .nullable();
