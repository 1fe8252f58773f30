import { isDeepStrictEqual } from "node:util";
import { IntegrationPublished, IntegrationUnpublished } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse, refuseAt } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { paginate } from "@octavo/shared/paginate";
import { organizationsOf } from "../access/organizations.js";
import { withStoredRole } from "../access/stored-role.js";
import { auditIntegration } from "../audit.js";
import { handDownScriptOfAll, offerVisitorAuthOfAll, recomputeSources } from "../event-queue/jobs.js";
import { allowIn, roleFor } from "../permissions.js";
import { checkScript } from "../runtime/check.js";
import { dropTasks } from "../store/events.js";
import * as queries from "../store/integrations.js";
import type { Call, Ctx } from "../trpc.js";
import { removeAll } from "../uninstall/uninstall.js";
import { administers, administersAny, loadPublic, lockAdministered } from "./access.js";
import { manifestRow } from "./manifest-row.js";
import type { List, ListInOrganization, Named, Publish } from "./schema.js";
import { view, views } from "./view.js";

// An integration is a script that an organization publishes under a name, for itself or for others to install.

const TAKEN = "Integration: the name belongs to another organization";

/** Lists the public integrations that match all filters, sorted by name. */
export function list({ ctx, input }: Call<typeof List>) {
  return paginate({
    query: queries.published(ctx, input),
    key: "name",
    input,
    view: (rows) => views(ctx, rows),
  });
}

/**
 * Lists the public integrations and those of the organization itself that match all filters, sorted by name; 403 for
 * guests, 404 for strangers.
 */
export function listInOrganization({ ctx, input }: Call<typeof ListInOrganization>) {
  allowIn(ctx, input.organizationId, "organization.listIntegrations");
  return paginate({
    query: queries.availableTo(ctx, input.organizationId, input),
    key: "name",
    input,
    view: (rows) => views(ctx, rows),
  });
}

/** Returns an integration; 404 for a private one to who is not in the organization that publishes it. */
export async function get({ ctx, input }: Call<typeof Named>) {
  return view(ctx, await loadPublic(ctx, input.integrationName));
}

/**
 * Publishes a version of an integration; 404 for an unknown organization, 400 for a
 * script that does not parse, 403 for who does not administer it or a
 * name that another organization has.
 */
export async function publish({ ctx, input }: Call<typeof Publish>) {
  const organization = await publisher(ctx, input.organization);
  allowIn(ctx, organization, "integration.admin");
  const mistake = await checkScript(input.runtime, input.script);
  if (mistake !== undefined) refuseAt("body.script", `does not parse: ${mistake}`);
  const { row, assets } = manifestRow(ctx, organization, input);
  const published = await transact(ctx, async (ctx) => {
    await queries.lock(ctx, row.name, "update");
    const before = await queries.find(ctx, row.name);
    allowIn(await withStoredRole(ctx, organization), organization, "integration.admin");
    const saved = await queries.publish(ctx, row);
    if (!saved) refuse("FORBIDDEN", TAKEN);
    await queries.saveScript(ctx, saved.id, input.runtime, input.script);
    await queries.saveAssets(ctx, saved.id, assets);
    await followVersion(ctx, saved, before);
    await emit(ctx, IntegrationPublished, saved.id, { integration: saved.name, organization });
    const { version, visibility, scopes } = saved;
    await auditIntegration(ctx, "integration.publish", saved, { version, visibility, scopes });
    return saved;
  });
  return view(ctx, published);
}

/** Has everything follow, after the transaction, that depends on the version of an integration. */
async function followVersion(ctx: Ctx, { id: integration, ...now }: queries.Row, before?: queries.Row) {
  if (now.content_sources)
    await enqueue(ctx, recomputeSources, { integration }, { key: `sources ${integration}` });
  const signsIn = (row?: Pick<queries.Row, "scopes">) => row?.scopes.includes("site:visitor:auth") ?? false;
  if (signsIn(now) !== signsIn(before))
    await enqueue(ctx, offerVisitorAuthOfAll, { integration }, { key: `visitor-auth ${integration}` });
  if (before && !isDeepStrictEqual(injectedBy(now), injectedBy(before)))
    await enqueue(ctx, handDownScriptOfAll, { integration }, { key: `scripts ${integration}` });
}

/** All of a version that decides what its installations put into pages. */
const injectedBy = ({ scopes, target, content_security_policy }: Omit<queries.Row, "id">) =>
  scopes.includes("site:script:inject")
    ? { cookies: scopes.includes("site:script:cookies"), target, content_security_policy }
    : undefined;

/** Refuses who may publish nothing under this name with 403, whichever organization the publication names. */
export async function admitPublisher({ ctx, input: { integrationName } }: Call<typeof Named>) {
  if (!administersAny(ctx))
    refuse(
      "FORBIDDEN",
      `Organization: needs the role ${roleFor("integration.admin")} in the one that publishes`,
    );
  const integration = await queries.find(ctx, integrationName);
  if (integration && !administers(ctx, integration)) refuse("FORBIDDEN", TAKEN);
}

/**
 * Its installations are notified first; it is removed for good when the last of them was. What it scheduled for itself is
 * not delivered any more.
 */
export async function unpublish({ ctx, input: { integrationName } }: Call<typeof Named>) {
  await transact(ctx, async (ctx) => {
    const integration = await lockAdministered(ctx, integrationName);
    if (!integration) return;
    await removeAll(ctx, integration);
    await dropTasks(ctx, integration.id);
    await queries.retire(ctx, integration.id);
    await queries.purge(ctx, integration.id);
    const { organization, name } = integration;
    await emit(ctx, IntegrationUnpublished, integration.id, { integration: name, organization });
    await auditIntegration(ctx, "integration.unpublish", integration);
  });
}

/** The id of the organization that has this id, or is one of the caller's and has this subdomain. */
async function publisher(ctx: Ctx, given: string): Promise<string> {
  const mine = ctx.caller.kind === "user" ? Object.keys(ctx.caller.organizations) : [];
  const known = await organizationsOf(ctx, [given, ...mine]);
  const match = [...known.values()].find(({ hostname }) => hostname === given.toLowerCase());
  return found(known.get(given) ?? match, "Organization").id;
}
