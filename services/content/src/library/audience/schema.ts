import { id, roleOrGuest } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const Standing = z.object({ organizationId: id, spaces: z.array(z.string()).max(1000) });

/** An event of sites. */
export const Hears = z.object({ event: z.string().max(100) });

/** What a caller may decide in an organization, as memberships and grants are stored now. */
export const Stood = z.object({
  role: roleOrGuest,
  /** Those of the spaces, in the trash or not, whose audience the caller may not decide. */
  undecided: z.array(z.object({ id: z.string(), readable: z.boolean() })),
});
