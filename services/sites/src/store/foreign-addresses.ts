import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Has everybody else who takes a foreign address wait until the transaction ends. */
export const lockForeignAddresses = async ({ db }: Ctx) => {
  await sql`select pg_advisory_xact_lock(hashtext('octavo sites: foreign addresses'))`.execute(db);
};

/** A foreign address in lower case, those above it on its host, and the host. */
interface Origin {
  origin: string;
  above: string[];
  host: string;
}

/** Whether another site has the address, one above or below it; or any site has proved that the host is its own. */
export async function isTaken({ db }: Ctx, site: string, { origin, above, host }: Origin): Promise<boolean> {
  const proxy = sql<string>`lower(proxy) collate "C"`;
  const rows = await db
    .selectFrom("site")
    .select("id")
    .where((where) =>
      where.or([
        where.and([
          where("id", "<>", site),
          where("proxy", "is not", null),
          where.or([
            where(proxy, "=", anyOf([origin, ...above])),
            // What begins with the address and a slash: `0` follows the slash.
            where.and([where(proxy, ">", `${origin}/`), where(proxy, "<", `${origin}0`)]),
          ]),
        ]),
        where.and([where("hostname", "=", host), where("hostname_verified_at", "is not", null)]),
      ]),
    )
    .limit(1)
    .execute();
  return rows.length > 0;
}
