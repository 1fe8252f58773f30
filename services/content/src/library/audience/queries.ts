import { prepare } from "@octavo/shared/database/prepare";
import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";

/** Whether an event of another service has had its effect here. */
export async function isHandled({ db }: Ctx, event: string): Promise<boolean> {
  const row = db.selectFrom("inbox").select("id").where("id", "=", event).where("handled_at", "is not", null);
  return (await row.executeTakeFirst()) !== undefined;
}

const digest = prepare<{ site: string }, { digest: string }>((arg) => {
  // The transaction that wrote a row last names the row as it is now. A sum of
  // hashes needs neither texts nor an order.
  const written = sql`hash_record_extended(row(s.id, s.xmin, a.site, a.xmin), 0)`;
  return sql`select concat_ws(' ', count(*), sum(${written})) as digest
    from audience own
    join space s on s.id = own.space
    join audience a on a.space = own.space
    where own.site = ${arg("site")} and s.deleted_at is null`;
});

/** A digest of the spaces that a site shows, and of all that is reported of who sees them, as they are stored. */
export async function digestOfSite({ db }: Ctx, site: string): Promise<string> {
  const [row] = await digest(db, { site });
  return row!.digest;
}
