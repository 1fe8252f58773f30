import { text, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { CreatedToken } from "../tokens/schema.js";

export const Get = z.object({});
export const Send = z.object({});
export const Confirm = z.object({ code: text(100, 1) });

export const State = z
  .object({ email: z.string(), status: z.enum(["verified", "pending"]) })
  .meta({ id: "UserEmailVerification" });
export const Sent = z
  .object({ email: z.string(), expiresAt: timestamp })
  .meta({ id: "SentEmailVerification" });
export const Confirmed = z
  .object({
    email: z.string(),
    status: z.literal("verified"),
    /**
     * For callers whose token is bound to an organization, because somebody else made it: one that reaches all that is
     * the user's.
     */
    token: CreatedToken.optional(),
  })
  .meta({ id: "ConfirmedEmailVerification" });
