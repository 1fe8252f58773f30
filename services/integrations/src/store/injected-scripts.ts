import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { hasScope } from "./installations.js";
import type { Row } from "./integrations.js";

interface Injected {
  /** Of the integration. */
  name: string;
  policy: Row["content_security_policy"];
  cookies: boolean;
  /** Whether on all sites of its organization, but for those that it is installed on by itself. */
  everywhere: boolean;
}

/** What an installation puts into pages of sites; nothing while it is not active, or has not the scope. */
export async function injectedBy({ db }: Ctx, installation: string): Promise<Injected | undefined> {
  const { rows } = await sql<Injected>`
    select integration.name, integration.content_security_policy as policy,
      (${hasScope("site:script:cookies")}) as cookies, i.site_selection = 'all' as everywhere
    from installation i join integration on integration.id = i.integration
    where i.id = ${installation} and i.deleted_at is null and i.status = 'active'
      and integration.deleted_at is null and integration.target in ('all', 'site')
      and ${hasScope("site:script:inject")}`.execute(db);
  return rows[0];
}

/** The sites on which an installation is by itself, and whether it works there; those with ids above one, in their order. */
export async function placesOf({ db }: Ctx, installation: string, above = "", most = 1_000) {
  const { rows } = await sql<{ site: string; works: boolean }>`
    select content as site, status = 'active' as works from content_installation
    where installation = ${installation} and kind = 'site' and deleted_at is null and content collate "C" > ${above}
    order by content collate "C" limit ${most}`.execute(db);
  return rows;
}

/** The live installations of an integration with ids above one, in their order. */
export const installationsOf = ({ db }: Ctx, integration: string, above: string, most: number) =>
  db
    .selectFrom("installation")
    .select(["id", "organization"])
    .where("integration", "=", integration)
    .where("deleted_at", "is", null)
    .where("id", ">", above)
    .orderBy("id")
    .limit(most)
    .execute();
