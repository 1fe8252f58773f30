import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { createListener } from "@octavo/shared/events/listen";
import { sql } from "kysely";
import { BY_INTEGRATION, SHOWN } from "../../access/visibility.js";
import type { Visibility } from "../../db/tables/spaces.js";
import { keepEditionsSoon } from "../../search-index/keep-editions.js";
import type { Ctx } from "../../trpc.js";
import { lockSpaces, recomputeVisibility } from "./recompute-visibility.js";

const on = createListener<Ctx>();

export const listeners = [
  // A site reports all of its audience at once: what it reported before is replaced. What arrives late about a space that
  // another organization owns by now counts for nothing.
  on(
    SiteAudience,
    async ({ ctx, payload: { site, organization, published, visitorAuth, shareLinks, epoch, spaces } }) => {
      // A site may show a space twice; the first place counts.
      const shown = new Map(
        (published ? spaces.filter(isShown) : []).reverse().map((row) => [row.space, row]),
      );
      const before = await ctx.db
        .selectFrom("audience")
        .select(["space", "revision"])
        .where("site", "=", site)
        .execute();
      const concerned = [...new Set([...before.map(({ space }) => space), ...shown.keys()])];
      await lockSpaces(ctx, concerned);
      await ctx.db.deleteFrom("audience").where("site", "=", site).execute();
      if (shown.size > 0) {
        await sql`insert into audience (site, space, visibility, url, backend, epoch, conditional, conditions, revision)
        select ${site}, r.space, r.visibility, r.url,
          case when r.visibility = 'visitor-auth' then ${backendOf(visitorAuth)}::text end,
          ${epoch ?? null}::int, cardinality(r.conditions) > 0,
          coalesce(r.conditions, '{}'), r.revision
        from jsonb_to_recordset(${JSON.stringify([...shown.values()])}::jsonb) as r (space text, visibility text, url text, conditions text[], revision text)
        join space on space.id = r.space and space.organization = ${organization}`.execute(ctx.db);
      }
      await keepShareKeys(ctx, site, published ? shareLinks : undefined);
      await recomputeVisibility(ctx, concerned);
      const pinned = [...before, ...shown.values()].filter(({ revision }) => revision);
      for (const space of new Set(pinned.map(({ space }) => space))) await keepEditionsSoon(ctx, space);
    },
    { state: "audience" },
  ),
];

/** How a site finds out who its visitors are, as spaces keep it. */
const backendOf = (auth: { backend: string; integration?: string } | undefined) =>
  auth?.integration === undefined ? (auth?.backend ?? null) : BY_INTEGRATION + auth.integration;

/** Replaces the keys that open a site. */
async function keepShareKeys({ db }: Ctx, site: string, links?: { root: string; keys: string[] }) {
  await db.deleteFrom("share_key").where("site", "=", site).execute();
  if (!links) return;
  const rows = [...new Set(links.keys)].map((hash) => ({ site, hash, root: links.root }));
  if (rows.length > 0) await db.insertInto("share_key").values(rows).execute();
}

interface Shown {
  space: string;
  visibility: string;
  url: string;
  revision?: string;
}

/** A kind of visibility that this version does not know counts as none. */
const isShown = (row: Shown): row is Shown & { visibility: Visibility } =>
  (SHOWN as readonly string[]).includes(row.visibility);
