import { createGuards } from "@octavo/shared/access";
import type { BaseContext } from "@octavo/shared/context";
import { roleIn } from "@octavo/shared/contracts/callers";
import { ORGANIZATION_PERMISSIONS } from "@octavo/shared/contracts/permissions";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { serveRouter } from "@octavo/shared/testing/service";
import { standInFor } from "@octavo/shared/testing/stand-in";
import { createApi } from "@octavo/shared/trpc";
import type { SitesRouter } from "@octavo/sites/client";
import { z } from "zod";
import type { HandedScript, OfferedVisitorAuth, Site } from "../sites/sites.js";
import { around } from "./identities.js";

type Ctx = BaseContext<never>;

const { allowIn, permits } = createGuards({ ...ORGANIZATION_PERMISSIONS, "site.view": "read" });

/** Stands in for sites over HTTP: sites in memory, identities verified as everywhere. */
export async function startSites() {
  const kept = new Map<string, { id: string; organization: string }>();
  const { router, internal, service } = createApi<Ctx>();
  const view = (ctx: Ctx, { id, organization }: { id: string; organization: string }): Site => ({
    object: "site",
    id,
    type: "basic",
    title: "Docs",
    visibility: "public",
    published: false,
    siteSpaces: 0,
    createdAt: "2026-01-01T00:00:00.000Z",
    adaptiveContent: { enabled: false },
    agentsContext: "excluded",
    features: [],
    ads: { status: "pending" as const, submittable: false },
    urls: {
      location: ctx.urls.api`/orgs/${organization}/sites/${id}`,
      app: ctx.urls.app`/o/${organization}/sites/${id}`,
    },
  });
  const lookup = internal({})
    .meta({ scope: "site:metadata:read" })
    .input(z.object({ ids: z.array(z.string()).max(1000) }))
    .query(({ ctx, input: { ids } }) => {
      const rows = ids.flatMap((id) => kept.get(id) ?? []);
      return rows
        .filter(({ organization }) => permits(roleIn(ctx.caller, organization), "site.view"))
        .map((row) => view(ctx, row));
    });
  const get = internal({})
    .input(z.object({ organizationId: z.string(), siteId: z.string() }))
    .query(({ ctx, input: { organizationId, siteId } }) => {
      allowIn(ctx, organizationId, "site.view");
      const row = kept.get(siteId);
      return view(ctx, found(row?.organization === organizationId ? row : undefined, "Site"));
    });
  const offers = new Map<string, OfferedVisitorAuth["offers"]>();
  const replace = service("integrations")
    .input(z.custom<OfferedVisitorAuth>())
    .mutation(({ input: { installation, above = "", upTo, offers: offered } }) => {
      const isOutside = ({ site }: { site: string }) => site <= above || (upTo !== undefined && site > upTo);
      offers.set(installation, [...(offers.get(installation) ?? []).filter(isOutside), ...offered]);
    });
  const scripts: HandedScript[] = [];
  const replaceScripts = service("integrations")
    .input(z.custom<HandedScript>())
    .mutation(({ input }) => void scripts.push(input));
  const api = standInFor<SitesRouter>()(
    router({
      sites: router({ lookup, get }),
      visitorIntegrations: router({ replace }),
      injectedScripts: router({ replace: replaceScripts }),
    }),
  );
  const { log, urls, verifier } = around;
  const base = { urls, log, clock: () => new Date() };
  const server = await serveRouter({ name: "sites", router: api, verifier, base, log });
  return {
    url: server.url,
    /** A new site; returns its id. */
    site: (organization: string): string => {
      const id = newId("site");
      kept.set(id, { id, organization });
      return id;
    },
    /** For which sites each installation signs in visitors, as it was offered last. */
    offers,
    /** What installations put into pages, in the order in which it was handed on. */
    scripts,
    end: server.close,
  };
}
