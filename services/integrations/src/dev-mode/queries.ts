import type { Ctx } from "../trpc.js";

export async function set({ db }: Ctx, id: string, to: { tunnel_url: string | null; tunnel_all: boolean }) {
  await db.updateTable("integration").set(to).where("id", "=", id).execute();
}

export const exists = ({ db }: Ctx, name: string) =>
  db
    .selectFrom("integration")
    .select("id")
    .where("name", "=", name)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
