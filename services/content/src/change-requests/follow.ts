import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Lets the change requests of spaces follow them to another organization; who was asked for a review stays behind. */
export async function moveChangeRequests({ db }: Pick<Ctx, "db">, spaces: string[], to: string) {
  await sql`delete from requested_reviewer where change_request in
    (select id from change_request where space = any(${spaces}))`.execute(db);
  await sql`update change_request set organization = ${to} where space = any(${spaces})`.execute(db);
}
