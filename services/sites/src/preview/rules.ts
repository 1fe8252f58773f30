import { refuseAt } from "@octavo/shared/errors";
import { loadSite } from "../access/load-site.js";
import { requireDecision } from "../access/standing.js";
import { addressOf, siteSpaceUrl } from "../audience/addresses.js";
import { sealPreview } from "../audience/preview.js";
import { claimsWithin } from "../claims/claims.js";
import { readRison } from "../claims/rison.js";
import * as adaptiveSchema from "../store/adaptive-schema.js";
import type { Row as Site } from "../store/sites.js";
import * as structure from "../store/structure.js";
import { isShown } from "../tree/tree.js";
import type { Call, Ctx } from "../trpc.js";
import type { Get } from "./schema.js";

/** The parameter of an address that holds the token of a preview. */
export const PREVIEW_PARAMETER = "preview_token";

/**
 * Returns an address that shows a site for an hour to whoever has it, as to a visitor with these claims; 400 for a site
 * space of another site or claims that are no Rison, 403 for who may not decide who sees its spaces, 404 for strangers
 * or an unknown site. Claims that the schema of the site does not know are left out.
 */
export async function get({ ctx, input }: Call<typeof Get>) {
  const site = await loadSite(ctx, input, "site.preview");
  await requireDecision(ctx, site, "site.preview");
  const { siteSpace } = input;
  const claims = await claimsOf(ctx, site.id, input.claims);
  const url = new URL(await addressFor(ctx, site, siteSpace));
  url.searchParams.set(PREVIEW_PARAMETER, sealPreview(ctx, site, { claims }));
  return { url: url.href };
}

async function addressFor(ctx: Ctx, site: Site, siteSpace: string | undefined) {
  const address = addressOf(ctx, site);
  if (siteSpace === undefined) return address();
  const tree = await structure.read(ctx, site);
  const row = tree.siteSpaces.find((row) => row.id === siteSpace && isShown(row));
  if (!row) refuseAt("query.siteSpace", "is no site space of this site");
  return siteSpaceUrl(address, tree, row);
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
