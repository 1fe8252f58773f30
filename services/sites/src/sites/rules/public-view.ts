import type { OneSite } from "../../access/schema.js";
import { siteUrl } from "../../audience/addresses.js";
import { visibleStructure } from "../../audience/visible.js";
import { settingsOf } from "../../customization/settings.js";
import * as queries from "../../store/sites.js";
import * as structure from "../../store/structure.js";
import type { Call } from "../../trpc.js";

/** To whom the address of a site is all that it takes. */
const FOR_EVERYBODY = ["public", "unlisted"];

/**
 * Returns what everybody may see of a site, for the gateway: the title that it is shown under, and its address. Null for one
 * that is not published, that is for some visitors alone, or that shows nothing to whoever claims nothing.
 */
export async function publicView({ ctx, input }: Call<typeof OneSite>) {
  const site = await queries.find(ctx, input.organizationId, input.siteId);
  if (!site?.published || !FOR_EVERYBODY.includes(site.visibility)) return null;
  const { siteSpaces } = visibleStructure(await structure.read(ctx, site));
  if (siteSpaces.length === 0) return null;
  const { title = site.title } = await settingsOf(ctx, site);
  return { title, published: siteUrl(ctx, site) };
}
