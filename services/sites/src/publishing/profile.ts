import { createHash } from "node:crypto";
import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { refuse } from "@octavo/shared/errors";
import { writeJson } from "@octavo/shared/rest/written-json";
import type { z } from "zod";
import { loadSite } from "../access/load-site.js";
import { addressedBy } from "../audience/share-key.js";
import { customizationsOf } from "../customization/settings.js";
import type { Profile } from "../profiles.js";
import { asReadersSee, see } from "../site-spaces/seen.js";
import { view } from "../sites/view.js";
import * as injectedScripts from "../store/injected-scripts.js";
import type { Row } from "../store/sites.js";
import { view as viewStructure } from "../structure/view.js";
import type { Ctx } from "../trpc.js";
import type { Published, PublishedContentSite } from "./schema.js";

// The profile of a site is all that a renderer needs besides the pages: as large as the site, and asked for at every visit.

type Input = z.output<typeof Published>;
/** A site, with the share key by which it is addressed. */
type Addressed = Row & { share_key?: string };

/** Makes the profile of a site for the caller; refuses like `loadPublished`. */
export async function makeProfile(ctx: Ctx, input: Input): Promise<PublishedContentSite> {
  return profileOf(ctx, await loadPublished(ctx, input));
}

/** Looking whether a profile is up to date costs some milliseconds, which all share who ask for it meanwhile. */
const PACE_MS = 5;

/**
 * The profile for visitors of a site, which is written once for all to whom it is the same, as long as neither the site
 * nor what content has of its spaces changes: both are asked each time, by one request for all who wait. Refuses like
 * `loadPublished`.
 */
export function profileForVisitors(ctx: Ctx, input: Input, reader: ReaderCaller): Promise<Profile> {
  const { organizationId, siteId, shareKey } = input;
  const name = JSON.stringify(["profile", organizationId, siteId, shareKey, seenBy(reader)]);
  // It is for others too: whoever came first may go away.
  const look = () => upToDate({ ...ctx, signal: undefined }, input, reader);
  return ctx.coalesce(name, look, PACE_MS);
}

async function upToDate(ctx: Ctx, input: Input, reader: ReaderCaller): Promise<Profile> {
  const digest = ctx.content.digest(ctx);
  // It is asked for while the site is loaded, whose refusal comes first.
  digest.catch(() => {});
  const site = await loadPublished(ctx, input);
  // What is read from here on is at least as new as what it is kept under.
  const state = `${site.version} ${await digest}`;
  const name = JSON.stringify([site.id, site.share_key, seenBy(reader)]);
  const kept = ctx.profiles.get(name);
  if (kept?.state === state) return kept;
  const json = await writeJson(await profileOf(ctx, site));
  const hash = createHash("sha256");
  for (const piece of json.pieces) hash.update(piece);
  const profile = { state, json, etag: `"${hash.digest("base64url").slice(0, 22)}"` };
  ctx.profiles.set(name, profile);
  return profile;
}

/** All of a visitor that decides what is seen. */
const seenBy = ({ organization, site, epoch, space, revision, claims, editLink }: ReaderCaller) => [
  organization,
  site,
  epoch,
  space,
  revision,
  claims,
  editLink,
];

/** Loads a site for a read of what it shows; 403 for guests, 404 when it is not published, unless the caller sees a preview. */
async function loadPublished(ctx: Ctx, input: Input): Promise<Addressed> {
  const loaded = await loadSite(ctx, input, "site.view");
  const isPreview = ctx.caller.kind === "reader" && ctx.caller.preview === true;
  if (!loaded.published && !isPreview)
    refuse("NOT_FOUND", "Site: is not published", { reason: "not_published" });
  return addressedBy(ctx, loaded, input.shareKey);
}

async function profileOf(ctx: Ctx, site: Addressed): Promise<PublishedContentSite> {
  // A preview is seen at the addresses that the site will have.
  const seen = await asReadersSee(ctx, await see(ctx, { ...site, published: true }));
  const shown = seen.tree.siteSpaces.filter(({ space }) => seen.spaces.has(space)).map(({ id }) => id);
  return {
    object: "published-content-site",
    site: view(ctx, site),
    structure: viewStructure(seen),
    customizations: await customizationsOf(ctx, site, shown),
    scripts: await scriptsOf(ctx, site),
  };
}

/** What integrations put into the pages of a site. */
async function scriptsOf(ctx: Ctx, site: Addressed): Promise<PublishedContentSite["scripts"]> {
  const rows = await injectedScripts.ofSite(ctx, site);
  return rows.map(({ integration, installation, content_security_policy: policy, cookies }) => ({
    script: ctx.urls.api`/integrations/${integration}/installations/${installation}/sites/${site.id}/script`,
    ...(policy !== null && { contentSecurityPolicy: policy }),
    cookies,
  }));
}
