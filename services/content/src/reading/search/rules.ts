import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { writeJson } from "@octavo/shared/rest/written-json";
import { visitorKey } from "../../access/claims.js";
import { accessFilter, allSpaces } from "../../access/filter.js";
import { mayView } from "../../access/level.js";
import * as spaces from "../../access/spaces.js";
import { shownRevision } from "../../access/visitor.js";
import { allowIn } from "../../permissions.js";
import { derivedOnce } from "../../revisions/cached.js";
import { resolveTarget } from "../../revisions/target.js";
import { isIndexed } from "../../search-index/pending.js";
import type { Call, Ctx } from "../../trpc.js";
import { findBySpace, findInSpace } from "./results.js";
import type { InOrganization, InSpace, InSpaces } from "./schema.js";
import { pageResult, pageResultWithAncestors } from "./view.js";

/**
 * Lists the pages of a space that hold the words, best first, each with the sections that do; 404 for a space out of
 * reach. What is searched for again is kept, once all of the space is in the index; what is looked for names the organization, whose change makes no revision.
 */
export async function inSpace({ ctx, input }: Call<typeof InSpace>) {
  const scope = await resolveTarget(ctx, { spaceId: input.spaceId });
  const { query, page, limit } = input;
  // What a site pins comes into the index after the site has said so: it is not kept that there was nothing yet.
  if (scope.version.seq !== undefined) return findInSpace(ctx, scope, input);
  const kept = {
    ifAskedAgain: true,
    // New pages of a large change come into the index after their revision.
    mayKeep: () => isIndexed(ctx, scope.space),
  };
  const key = [scope.organization, query, page, limit, ...visitorKey(ctx.caller)];
  if (ctx.requested) {
    const bytes = await derivedOnce(ctx, scope, {
      ...kept,
      key: JSON.stringify(["written search", ...key]),
      make: async () => writeJson(await findInSpace(ctx, scope, input)),
      // Most is searched for once.
      keptAs: (written) => written.pack(),
      sizeOf: ({ held }) => held + 500,
    });
    // The bytes stand for the value that they were written of.
    return bytes as never;
  }
  return derivedOnce(ctx, scope, {
    ...kept,
    key: JSON.stringify(["search", ...key]),
    make: () => findInSpace(ctx, scope, input),
    sizeOf: ({ items }) => items.reduce((sum, { sections }) => sum + 600 + sections.length * 1_200, 600),
  });
}

/** Searches all spaces of an organization that the caller may read, grouped by space; 404 for strangers to it. */
export async function inOrganization({ ctx, input }: Call<typeof InOrganization>) {
  const organization = input.organizationId;
  allowIn(ctx, organization, "organization.view");
  const { readable } = await accessFilter(ctx, organization);
  return findBySpace(ctx, { organization, readable }, input, pageResult);
}

/**
 * Searches those of the spaces that the caller may read, for sites: of a visitor, those that the site shows. 404 for
 * strangers to their organization.
 */
export async function inSpaces({ ctx, input }: Call<typeof InSpaces>) {
  const { organizationId: organization, spaces: ids } = input;
  const { caller } = ctx;
  if (caller.kind === "reader") {
    if (caller.organization !== organization) return { items: [], count: 0 };
    const { shown, editions } = await searchable(ctx, caller, ids);
    const [only, ...others] = shown;
    if (only === undefined) return { items: [], count: 0 };
    // Most sites show one space, whose own pages are found sooner than among those of the organization.
    const scope =
      others.length === 0
        ? { organization, space: only.id, title: only.title, editions }
        : { organization, readable: { ...allSpaces, only: shown.map(({ id }) => id) }, editions };
    return findBySpace(ctx, scope, input, pageResultWithAncestors);
  }
  allowIn(ctx, organization, "organization.view");
  const { readable } = await accessFilter(ctx, organization);
  const only = readable.only?.filter((id) => ids.includes(id)) ?? ids;
  return findBySpace(ctx, { organization, readable: { ...readable, only } }, input, pageResultWithAncestors);
}

/** Those of the spaces that a visitor is shown, and the revisions of those that are pinned. */
async function searchable(ctx: Ctx, caller: ReaderCaller, ids: string[]) {
  const rows = (await spaces.findAll(ctx, ids)).filter((row) => mayView(caller, row));
  const editions = new Map<string, string>();
  for (const row of rows) {
    const revision = shownRevision(caller, row, undefined);
    if (revision !== row.revision) editions.set(row.id, revision);
  }
  return { shown: rows, editions };
}
