import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { lockSpace } from "../../access/load-space.js";
import { auditSpace } from "../../audit.js";
import { commitPrimary } from "../../revisions/primary.js";
import { lockBranch } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import { keyOf, resolveSource } from "../dependencies.js";
import { bytesBeside, insertResult } from "../keep.js";
import * as queries from "../queries.js";
import * as results from "../results.js";
import type { Fill, SpacesOf, Wanted } from "../schema.js";
import { addressesOf, madePages, placedFiles, withinRoom } from "../sent.js";
import { integrationOf } from "../source.js";

// Integrations are above content: they ask what is to be computed, have it computed by scripts, and hand the result down.

type Plain = Record<string, unknown>;

/** For so long what somebody asked for is computed. */
const ASKED_MS = 86_400_000;

/**
 * Returns the sources of a space that these integrations are to compute, as nothing is known of them in their present
 * state.
 */
export async function wanted({ ctx, input }: Call<typeof Wanted>) {
  const { spaceId: space } = input;
  const versions = new Map(Object.entries(input.versions));
  const organization = await queries.organizationOf(ctx, space);
  if (organization === undefined) return [];
  const since = new Date(ctx.clock().getTime() - ASKED_MS);
  const sources = new Map(
    (await results.sourcesIn(ctx, space, since)).map(({ source }) => [keyOf(source), source]),
  );
  const known = await results.inputsOf(ctx, space, [...sources.keys()]);
  const missing: { key: string; inputs: string; type: string; props: Plain; dependencies: Plain }[] = [];
  for (const [key, one] of sources) {
    const version = versions.get(integrationOf(one));
    if (version === undefined) continue;
    const { source, inputs } = await resolveSource(ctx, { space, organization, version }, one);
    const { type, props = {}, dependencies = {} } = source;
    if (known.get(key) !== inputs) missing.push({ key, inputs, type, props, dependencies });
  }
  return missing;
}

/** Returns the spaces of an organization with pages that integrations compute. */
export const spacesOf = ({ ctx, input }: Call<typeof SpacesOf>) =>
  results.spacesOfIntegrations(ctx, input.organizationId);

/**
 * Keeps the pages and files that an integration computed, and adds a revision that shows them where a page declares their
 * source. Returns the names of the files that the space has no room for; 404 for a space that is gone.
 */
export async function fill({ ctx, input }: Call<typeof Fill>) {
  const { spaceId: space, key, inputs, by } = input;
  const sent = placedFiles(input.files, { space, key, now: ctx.clock().toISOString() });
  const pages = await madePages(ctx, input.pages, addressesOf(sent));
  const left: string[] = [];
  await transact(ctx, async (ctx) => {
    const { organization } = await lockSpace(ctx, space, "space.access", { strength: "use" });
    found(organization === by.organization || undefined, "Space");
    const head = await lockBranch(ctx, space);
    const now = ctx.clock();
    const files = withinRoom(sent, await bytesBeside(ctx, space, key), left);
    await insertResult(ctx, { space, key, inputs, pages, created_at: now }, files);
    const declared = (await results.sourcesIn(ctx, space, now)).filter((one) => one.declared);
    if (!declared.some(({ source }) => keyOf(source) === key)) return;
    const caller = { kind: "integration" as const, ...by, scopes: [], token: "" };
    const asIntegration: Ctx = { ...ctx, caller, clock: () => now };
    await commitPrimary(asIntegration, { space, head, type: "edits", changes: { put: [], remove: [] } });
    const details = { installation: by.installation, pages: pages.length };
    const owner = { id: space, organization: by.organization };
    await auditSpace(asIntegration, "space.compute", owner, details);
  });
  return { left };
}
