import type { Ctx } from "../../trpc.js";

/** Whether an event of another service has had its effect here. */
export async function isHandled({ db }: Ctx, event: string): Promise<boolean> {
  const row = db.selectFrom("inbox").select("id").where("id", "=", event).where("handled_at", "is not", null);
  return (await row.executeTakeFirst()) !== undefined;
}
