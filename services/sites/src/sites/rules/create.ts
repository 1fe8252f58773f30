import type { Space } from "@octavo/shared/contracts/schemas/space";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import type { z } from "zod";
import { loadSite } from "../../access/load-site.js";
import { requireStoredRole } from "../../access/standing.js";
import { emitSiteChanged } from "../../audience/site-changed.js";
import { auditSite } from "../../audit.js";
import type { Filling } from "../../content/content.js";
import { allowIn } from "../../permissions.js";
import { lockSpaceChanges } from "../../site-spaces/changes.js";
import { attach } from "../../site-spaces/membership.js";
import { spacesToShow } from "../../site-spaces/spaces.js";
import * as queries from "../../store/sites.js";
import type { Call, Ctx } from "../../trpc.js";
import type { Create } from "../schema.js";
import { finish, withNewSpace } from "../unfinished.js";
import { view } from "../view.js";

/**
 * Creates a site with spaces that exist, or with a new one that it fills; 404 for a space out of reach, 403 for who
 * may not create in the organization or may not decide who sees a space.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  allowIn(ctx, input.organizationId, "site.create");
  const { spaces } = input;
  return typeof spaces === "string" ? createWithNew(ctx, input, spaces) : createWith(ctx, input, spaces);
}

type Input = z.output<typeof Create>;

const createWith = (ctx: Ctx, input: Input, ids: string[]) =>
  transact(ctx, async (ctx) => {
    const { organizationId } = input;
    await lockSpaceChanges(ctx, ids);
    if (ids.length === 0) await requireStoredRole(ctx, organizationId, "site.create");
    return insert(
      ctx,
      input,
      ids.length === 0 ? [] : await spacesToShow(ctx, organizationId, ids, "site.create"),
    );
  });

function createWithNew(ctx: Ctx, input: Input, filling: Filling) {
  const { organizationId } = input;
  const title = [...(input.title ?? "Docs")].slice(0, 50).join("");
  return withNewSpace(ctx, { organizationId, title, filling }, ({ id }) =>
    transact(ctx, async (ctx) => {
      await finish(ctx, id);
      return createWith(ctx, input, [id]);
    }),
  );
}

async function insert(ctx: Ctx, input: Input, spaces: Space[]) {
  const { organizationId: organization, type, visibility } = input;
  const spaceTitle = spaces.map(({ title }) => title).find((title) => title.length > 1);
  const id = newId("site");
  await queries.insert(ctx, {
    id,
    organization,
    type,
    visibility,
    title: input.title ?? spaceTitle ?? "Docs",
  });
  const one = { organizationId: organization, siteId: id };
  const created = await loadSite(ctx, one, "site.view");
  await emitSiteChanged(ctx, created);
  if (spaces.length > 0) await attach(ctx, created, spaces);
  const site = await loadSite(ctx, one, "site.view");
  const details = { title: site.title, visibility: site.visibility, spaces: spaces.map((space) => space.id) };
  await auditSite(ctx, "site.create", site, details);
  return view(ctx, site);
}
