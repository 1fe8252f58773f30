import { z } from "zod";
import { roleOrGuest, timestamp, user } from "../fields.js";

/** A person in an organization; orgs returns it, and content where it shows who takes part in something. */
export const member = z
  .object({
    object: z.literal("member"),
    id: z.string(),
    role: roleOrGuest,
    user,
    disabled: z.boolean(),
    joinedAt: timestamp,
    lastSeenAt: timestamp.optional(),
    sso: z.boolean(),
    spaces: z.number().int(),
    teams: z.number().int(),
  })
  .meta({ id: "OrganizationMember" });
export type Member = z.output<typeof member>;
