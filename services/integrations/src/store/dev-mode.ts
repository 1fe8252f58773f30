import type { Ctx } from "../trpc.js";

/** Sets where an integration in development gets its events; null ends development mode. */
export async function set({ db }: Ctx, id: string, to: { tunnel_url: string | null; tunnel_all: boolean }) {
  await db.updateTable("integration").set(to).where("id", "=", id).execute();
}
