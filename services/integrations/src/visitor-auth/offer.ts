import { randomBytes } from "node:crypto";
import { keyOfSite } from "@octavo/shared/contracts/events/sites";
import { signingSecretOf } from "../content-installations/runtime.js";
import { offerSoon } from "../event-queue/visitor-auth-soon.js";
import * as queries from "../store/content-installations.js";
import * as installations from "../store/installations.js";
import type { Ctx } from "../trpc.js";

// Scripts sign tokens of a site's visitors with the signing secret of their installation on the site. Sites, which are
// below integrations, are handed that secret, and where the script is reached.

/** Sites whose offers are handed down at a time. */
const PAGE = 200;

interface Offering {
  installation: string;
  organization: string;
}

/** Hands down to sites for which of them an installation signs in visitors now, page by page; safe to run again. */
export async function offer(ctx: Ctx, offering: Offering): Promise<void> {
  let above: string | undefined;
  do {
    const rows = await queries.signingIn(ctx, offering.installation, above, PAGE);
    const upTo = rows.length === PAGE ? rows.at(-1)!.content : undefined;
    await ctx.sites.offerVisitorAuth(ctx, {
      ...offering,
      above,
      upTo,
      offers: offersOf(ctx, offering, rows),
    });
    above = upTo;
  } while (above !== undefined);
}

function offersOf(ctx: Ctx, { installation, organization }: Offering, rows: queries.SigningIn[]) {
  return rows.map(({ id, name, content: site, signing_secret }) => ({
    site,
    integration: name,
    address: ctx.urls.api`/integrations/${name}/installations/${installation}/sites/${site}/visitor-auth`,
    key: ctx.vault.seal(
      ctx.vault.open(signing_secret, signingSecretOf({ id, organization })),
      keyOfSite(site, organization),
    ),
  }));
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
