import { randomBytes } from "node:crypto";
import { keyOfSite } from "@octavo/shared/contracts/events/sites";
import { signingSecretOf } from "../content-installations/runtime.js";
import { offerSoon } from "../event-queue/visitor-auth-soon.js";
import * as queries from "../store/content-installations.js";
import * as installations from "../store/installations.js";
import type { Ctx } from "../trpc.js";

// Scripts sign tokens of a site's visitors with the signing secret of their installation on the site. Sites, which are
// below integrations, are handed that secret, and where the script is reached.

/** Hands down to sites for which of them an installation signs in visitors now, 1,000 at most; safe to run again. */
export async function offer(
  ctx: Ctx,
  { installation, organization }: { installation: string; organization: string },
): Promise<void> {
  const rows = await queries.signingIn(ctx, installation);
  const offers = rows.map(({ id, name, content: site, signing_secret }) => ({
    ...{ site, integration: name },
    address: ctx.urls.api`/integrations/${name}/installations/${installation}/sites/${site}/visitor-auth`,
    key: ctx.vault.seal(
      ctx.vault.open(signing_secret, signingSecretOf({ id, organization })),
      keyOfSite(site, organization),
    ),
  }));
  await ctx.sites.offerVisitorAuth(ctx, { installation, organization, offers });
}

/** Enqueues `offer` for all installations of an integration that are on sites by themselves. */
export async function offerAll(ctx: Ctx, { integration }: { integration: string }): Promise<void> {
  for (const one of await installations.onSites(ctx, integration)) await offerSoon(ctx, one);
}

/** Gives an installation on a site another signing secret, as what was signed with the one before counts no more. */
export async function replaceSecret(
  ctx: Ctx,
  { site, organization, installation }: { site: string; organization: string; installation: string },
): Promise<void> {
  const row = await queries.lock(ctx, installation, "site", site);
  if (!row || row.organization !== organization) return;
  const secret = randomBytes(32).toString("base64url");
  await queries.update(ctx, row.id, { signing_secret: ctx.vault.seal(secret, signingSecretOf(row)) });
  await offerSoon(ctx, { id: installation, organization });
}
