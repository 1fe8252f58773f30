import { type Selectable, sql } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

/** A domain that an organization names, and when it was verified for that organization. */
export interface Row {
  organization: string;
  domain: string;
  verified_at: string | null;
}

const namedDomains = ({ db }: Ctx, organization: string) =>
  db
    .selectFrom(
      sql<{ organization: string; domain: string }>`(
        select id as organization, unnest(email_domains) as domain from organization where id = ${organization})`.as(
        "named",
      ),
    )
    .leftJoin("email_domain", (join) =>
      join
        .onRef("email_domain.domain", "=", "named.domain")
        .onRef("email_domain.organization", "=", "named.organization"),
    )
    .select(["named.organization", "named.domain", "email_domain.verified_at"]);

/** All that an organization names, a hundred at most. */
export const ofOrganization = (ctx: Ctx, organization: string): Promise<Row[]> =>
  namedDomains(ctx, organization).orderBy("named.domain").execute();

/** Finds a domain that an organization names; undefined when it names none of this name. */
export const find = (ctx: Ctx, organization: string, domain: string): Promise<Row | undefined> =>
  namedDomains(ctx, organization).where("named.domain", "=", domain).executeTakeFirst();

/** The organization's verified domains. */
export async function verified(ctx: Ctx, organization: string): Promise<string[]> {
  const rows = await namedDomains(ctx, organization)
    .where("email_domain.verified_at", "is not", null)
    .execute();
  return rows.map(({ domain }) => domain);
}

/**
 * Notes that a domain is verified, unless the organization no longer names it; returns whether that is new. Until the
 * transaction ends nobody changes which domains it names.
 */
export async function verify(ctx: Ctx, { organization, domain, verified_at }: Verified): Promise<boolean> {
  const { rows } = await sql`
    insert into email_domain (organization, domain, verified_at)
    select id, ${domain}, ${verified_at} from organization
    where id = ${organization} and email_domains @> array[${domain}]::text[]
    for share
    on conflict do nothing
    returning domain`.execute(ctx.db);
  return rows.length > 0;
}

type Verified = Selectable<Database["email_domain"]>;

/** Ends the verification of all domains but those that the organization still names. */
export const keepNamed = ({ db }: Ctx, organization: string, domains: string[]) =>
  db
    .deleteFrom("email_domain")
    .where("organization", "=", organization)
    .where(sql<boolean>`domain <> all(${domains}::text[])`)
    .execute();
