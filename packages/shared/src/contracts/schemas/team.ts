import { z } from "zod";
import { permissions, timestamp } from "../fields.js";

/** A team of an organization; orgs returns it, and content where a team is granted something. */
export const team = z
  .object({
    object: z.literal("team"),
    id: z.string(),
    title: z.string(),
    /** How many people are in it. */
    members: z.number().int(),
    /** How many spaces it holds a grant of its own on. */
    spaces: z.number().int(),
    createdAt: timestamp,
    permissions: permissions("admin", "view"),
  })
  .meta({ id: "OrganizationTeam" });
export type Team = z.output<typeof team>;
