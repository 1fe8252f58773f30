import { isDeepStrictEqual } from "node:util";
import { IntegrationPublished } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse, refuseAt } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { organizationsOf } from "../../access/organizations.js";
import { withStoredRole } from "../../access/stored-role.js";
import { auditIntegration } from "../../audit.js";
import { handDownScriptOfAll, offerVisitorAuthOfAll, recomputeSources } from "../../event-queue/jobs.js";
import { allowIn, roleFor } from "../../permissions.js";
import { checkScript } from "../../runtime/check.js";
import * as queries from "../../store/integrations.js";
import type { Call, Ctx } from "../../trpc.js";
import { administers, administersAny } from "../access.js";
import { manifestRow } from "../manifest-row.js";
import type { Named, Publish } from "../schema.js";
import { view } from "../view.js";

const TAKEN = "Integration: the name belongs to another organization";

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

/** The id of the organization that has this id, or is one of the caller's and has this subdomain. */
async function publisher(ctx: Ctx, given: string): Promise<string> {
  const mine = ctx.caller.kind === "user" ? Object.keys(ctx.caller.organizations) : [];
  const known = await organizationsOf(ctx, [given, ...mine]);
  const match = [...known.values()].find(({ hostname }) => hostname === given.toLowerCase());
  return found(known.get(given) ?? match, "Organization").id;
}
