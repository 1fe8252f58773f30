import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { lockSite } from "../../access/load-site.js";
import { awaitContent } from "../../audience/await-content.js";
import { auditSite } from "../../audit.js";
import { readable } from "../../site-spaces/spaces.js";
import * as queries from "../../store/releases.js";
import type { Row as Site } from "../../store/sites.js";
import * as structure from "../../store/structure.js";
import { isShown } from "../../tree/tree.js";
import type { Call, Ctx } from "../../trpc.js";
import type { Create } from "../schema.js";
import { show } from "../show.js";
import { view } from "../view.js";

/** Releases of one site, at most. */
const MOST = 1000;

/**
 * Records the current revisions of all spaces that a site shows, in one question to content. 400 for a site that shows
 * none, 403 for who may not publish the site, or not decide who sees its spaces and pins, 404 for an unknown site, 409 when it
 * has 1,000 releases.
 */
export async function create({ ctx, input: { title, pin, ...one } }: Call<typeof Create>) {
  const { made, event } = await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, one, "site.publish", () => pin);
    if ((await queries.count(ctx, site.id)) >= MOST)
      refuse("CONFLICT", `Site: has ${MOST} releases, which is as many as there can be`, {
        reason: "too_many_releases",
      });
    const held = await currentRevisions(ctx, site);
    if (held.length === 0) refuse("BAD_REQUEST", "Site: has no space to release", { reason: "site_empty" });
    const id = newId();
    const created_by = ctx.caller.kind === "user" ? ctx.caller.id : null;
    const owned = { id, site: site.id, organization: site.organization };
    await queries.insert(ctx, { ...owned, title, created_by }, held);
    await auditSite(ctx, "site.release.create", site, { release: id, title, spaces: held.length });
    const event = pin ? await show(ctx, site, owned) : undefined;
    const now = pin ? { ...site, release: id } : site;
    const made = view(ctx, now, found(await queries.find(ctx, site.id, id), "Release"));
    ctx.reply.headers.location = made.urls.location;
    return { made, event };
  });
  await awaitContent(ctx, event);
  return made;
}

/** The revisions of the spaces that a site shows, whoever may read them: a release is whole. */
async function currentRevisions(ctx: Ctx, { id, organization }: Site): Promise<queries.Held[]> {
  const { siteSpaces } = await structure.current(ctx, id);
  const spaces = siteSpaces.filter(isShown).map(({ space }) => space);
  const own = { ...ctx, identity: undefined };
  const seen = await readable(own, organization, spaces);
  return [...seen.values()].map(({ id: space, revision }) => ({ space, revision }));
}
