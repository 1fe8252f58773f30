// An OpenAPI specification is a document with a name, a source and the versions that were made of it.

import { changed } from "@octavo/shared/audit";
import { roleIn } from "@octavo/shared/contracts/callers";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { auditSpec } from "../../audit.js";
import { showSpecAnew } from "../../computed/jobs.js";
import { allowIn } from "../../permissions.js";
import type { Call, Ctx } from "../../trpc.js";
import { enqueueProcessing } from "../processing/jobs.js";
import * as queries from "../store/specs.js";
import { insertSpec } from "./insert.js";
import type { Create, CreateOrUpdate, List, One, Update } from "./schema.js";
import { columnsOf, sourceName } from "./source.js";
import { view } from "./view.js";

const show = (ctx: Ctx, row: queries.Row) => view(ctx, roleIn(ctx.caller, row.organization))(row);

/** Lists the specifications of an organization by their slugs; 404 to strangers, 403 to guests. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { organizationId: organization } = input;
  allowIn(ctx, organization, "openAPISpec.view");
  const query = queries.inOrganization(ctx, organization);
  const by = [{ column: "slug" }];
  return paginate({ query, by, input, view: (rows) => rows.map((row) => show(ctx, row)) });
}

/** Returns a specification to members; 404 when there is none with that slug. */
export async function get({ ctx, input }: Call<typeof One>) {
  return show(ctx, await loadSpec(ctx, input));
}

/** Loads a specification that the caller may view; 404 to all others. */
export async function loadSpec(ctx: Ctx, { organizationId, specSlug }: Call<typeof One>["input"]) {
  allowIn(ctx, organizationId, "openAPISpec.view");
  return found(await queries.find(ctx, organizationId, specSlug), "OpenAPI specification");
}

/** Refuses who may not give a specification a source, before a document is read: 403, 404 to strangers. */
export async function admitSource({ ctx, input }: { ctx: Ctx; input: { organizationId: string } }) {
  allowIn(ctx, input.organizationId, "organization.createOpenAPISpec");
}

/**
 * Creates a specification, which is processed in the background; 403 for who may not create, 404 to strangers, 409 when
 * the organization has one with that slug.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId: organization, slug, source } = input;
  allowIn(ctx, organization, "organization.createOpenAPISpec");
  return transact(ctx, async (ctx) => {
    const row = await insertSpec(ctx, organization, slug, source);
    if (!row) refuse("CONFLICT", "body.slug: is taken in this organization", { reason: "slug_taken" });
    return show(ctx, row);
  });
}

/**
 * Gives a specification a source, the same or another: it is processed anew. 201 when that creates it, else 200. 403
 * for who may not create, 404 to strangers.
 */
export async function createOrUpdate({ ctx, input }: Call<typeof CreateOrUpdate>) {
  const { organizationId: organization, specSlug: slug, source } = input;
  allowIn(ctx, organization, "organization.createOpenAPISpec");
  return transact(ctx, async (ctx) => {
    const created = await insertSpec(ctx, organization, slug, source);
    if (created) {
      ctx.reply.status = 201;
      return show(ctx, created);
    }
    const known = found(await queries.lock(ctx, organization, slug), "OpenAPI specification");
    const row = await queries.setSource(ctx, known.id, columnsOf(source));
    await auditSpec(ctx, "openapi-spec.update", row, { slug, source: sourceName(source) });
    await enqueueProcessing(ctx, row);
    return show(ctx, row);
  });
}

/** Makes a specification public or private; 404 when there is none with that slug, 403 for who may only view it. */
export function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const row = await lockSpec(ctx, input);
    const set = { visibility: input.visibility, updated_at: ctx.clock() };
    const now = await queries.update(ctx, row.id, set);
    await auditSpec(ctx, "openapi-spec.update", row, changed(row, { visibility: input.visibility }));
    return show(ctx, now);
  });
}

/** Deletes a specification with its versions; 403 for who may not. No error when there is none. */
export function remove({ ctx, input }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const row = await lockSpec(ctx, input);
    await queries.remove(ctx, row.id);
    await showSpecAnew(ctx, row);
    await auditSpec(ctx, "openapi-spec.delete", row, { slug: row.slug });
  });
}

async function lockSpec(ctx: Ctx, { organizationId, specSlug }: Call<typeof One>["input"]) {
  allowIn(ctx, organizationId, "openAPISpec.edit");
  return found(await queries.lock(ctx, organizationId, specSlug), "OpenAPI specification");
}
