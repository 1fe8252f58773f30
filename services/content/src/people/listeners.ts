import { UserUpdated } from "@octavo/shared/contracts/events/orgs";
import { createListener } from "@octavo/shared/events/listen";
import type { Ctx } from "../trpc.js";

const on = createListener<Ctx>();

export const listeners = [
  // Only people who have written something are known here; others are learnt when they do.
  on(
    UserUpdated,
    async ({ ctx, payload: { user, displayName, email = null, photoURL = null } }) => {
      if (displayName === undefined) return;
      await ctx.db
        .updateTable("person")
        .set({ display_name: displayName, email, photo_url: photoURL })
        .where("id", "=", user)
        .execute();
    },
    { state: "user" },
  ),
];
