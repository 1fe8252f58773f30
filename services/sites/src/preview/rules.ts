import { refuseAt } from "@octavo/shared/errors";
import { loadSite } from "../access/load-site.js";
import { requireDecision } from "../access/standing.js";
import { siteUrl, variantUrl } from "../audience/addresses.js";
import { sealPreview } from "../audience/preview.js";
import { claimsWithin } from "../claims/claims.js";
import { readRison } from "../claims/rison.js";
import * as adaptiveSchema from "../store/adaptive-schema.js";
import * as siteSpaces from "../store/site-spaces.js";
import type { Call, Ctx } from "../trpc.js";
import type { Get } from "./schema.js";

/** The parameter of an address that holds the token of a preview. */
export const PREVIEW_PARAMETER = "preview_token";

/**
 * Returns an address that shows a site for an hour to whoever has it, as to a visitor with these claims; 400 for a site
 * space of another site or claims that are no Rison, 403 for who may not decide who sees its spaces. Claims that the
 * schema of the site does not know are left out.
 */
export async function get({ ctx, input }: Call<typeof Get>) {
  const site = await loadSite(ctx, input, "site.preview");
  await requireDecision(ctx, site, "site.preview");
  const { siteSpace } = input;
  const claims = await claimsOf(ctx, site.id, input.claims);
  const shown = siteSpace === undefined ? undefined : await shownSpace(ctx, site.id, siteSpace);
  const url = new URL(shown ? variantUrl(ctx, site, shown) : siteUrl(ctx, site));
  url.searchParams.set(PREVIEW_PARAMETER, sealPreview(ctx, site, { claims }));
  return { url: url.href };
}

async function shownSpace(ctx: Ctx, site: string, siteSpace: string) {
  const shown = await siteSpaces.shown(ctx, site);
  return (
    shown.find(({ id }) => id === siteSpace) ?? refuseAt("query.siteSpace", "is no site space of this site")
  );
}

async function claimsOf(ctx: Ctx, site: string, rison: string | undefined) {
  if (rison === undefined) return {};
  const read = readRison(rison);
  if ("problem" in read) refuseAt("query.claims", `is no Rison: ${read.problem}`);
  const { value } = read;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuseAt("query.claims", "must be an object, such as `(plan:pro)`");
  const row = await adaptiveSchema.find(ctx, site);
  return row ? claimsWithin(row.json_schema.properties, value) : {};
}
