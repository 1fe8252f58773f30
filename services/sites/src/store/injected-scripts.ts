import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["injected_script"];
type Row = Pick<Selectable<Table>, "integration" | "installation" | "content_security_policy" | "cookies">;

/** Most scripts of a site: each of them is of another integration. */
const MOST = 1_000;

/** The scripts that installations put into the pages of a site, by the names of their integrations. */
export async function ofSite(
  { db }: Ctx,
  { id, organization }: { id: string; organization: string },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.integration, s.installation, s.content_security_policy, s.cookies from injected_script s
    left join injected_script_place p on p.installation = s.installation and p.site = ${id}
    where s.organization = ${organization} and coalesce(p.works, s.everywhere)
    order by s.integration limit ${MOST}`.execute(db);
  return rows;
}

/** Finds what an installation puts into pages, held until the end of the transaction. */
export const lock = ({ db }: Ctx, installation: string) =>
  db
    .selectFrom("injected_script")
    .select("installation")
    .where("installation", "=", installation)
    .forUpdate()
    .executeTakeFirst();

/** Keeps what an installation puts into pages; returns whether that is another script than before, or elsewhere. */
export async function put({ db }: Ctx, row: Insertable<Table>): Promise<boolean> {
  const { integration, content_security_policy, cookies, everywhere } = row;
  const changed = await db
    .insertInto("injected_script")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column("installation")
        .doUpdateSet({ integration, content_security_policy, cookies, everywhere })
        .where(sql<boolean>`(injected_script.integration, injected_script.content_security_policy,
          injected_script.cookies, injected_script.everywhere) is distinct from
          (excluded.integration, excluded.content_security_policy, excluded.cookies, excluded.everywhere)`),
    )
    .returning("installation")
    .executeTakeFirst();
  return changed !== undefined;
}

/** What an installation puts into pages no more. */
export async function remove({ db }: Ctx, installation: string): Promise<void> {
  await db.deleteFrom("injected_script").where("installation", "=", installation).execute();
}

interface Places {
  installation: string;
  organization: string;
  above?: string;
  upTo?: string;
  places: { site: string; works: boolean }[];
}

/** Keeps on which sites of its organization an installation is by itself, in a range of ids; returns those that changed. */
export async function replacePlaces({ db }: Ctx, of: Places): Promise<string[]> {
  const { installation, organization, above = "", upTo, places } = of;
  const { rows } = await sql<{ site: string }>`
    with given as (
      select each.site, each.works from json_to_recordset(${JSON.stringify(places)}::json) as each (site text, works boolean)
      join site on site.id = each.site and site.organization = ${organization}
    ), gone as (
      delete from injected_script_place p
      where p.installation = ${installation} and p.site collate "C" > ${above}
        and (${upTo ?? null}::text is null or p.site collate "C" <= ${upTo ?? null})
        and not exists (select 1 from given where given.site = p.site)
      returning p.site
    ), kept as (
      insert into injected_script_place as p (site, installation, works)
      select site, ${installation}, works from given
      on conflict (site, installation) do update set works = excluded.works where p.works <> excluded.works
      returning p.site
    ) select site from gone union select site from kept`.execute(db);
  return rows.map(({ site }) => site);
}
