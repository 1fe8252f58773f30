// The glossary of an organization: what terms are called in each language, whoever translates.

import { transact } from "@octavo/shared/database/transact";
import { found, refuse, refuseAll } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { auditGlossary } from "../../audit.js";
import { allowIn } from "../../permissions.js";
import type { Call } from "../../trpc.js";
import * as queries from "../store/glossary.js";
import { type List, MOST_ENTRIES, type One, type Update } from "./schema.js";
import { view } from "./view.js";

/** Lists the entries of a glossary to administrators, the oldest first; 403 to other members, 404 to strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { organizationId: organization } = input;
  allowIn(ctx, organization, "translation.view");
  const query = queries.inOrganization(ctx, organization);
  return paginate({ query, input, view: (rows) => rows.map(view(ctx)) });
}

/** Returns an entry to administrators; 403 to other members, 404 when there is none. */
export async function get({ ctx, input }: Call<typeof One>) {
  const { organizationId: organization, glossaryEntryId } = input;
  allowIn(ctx, organization, "translation.view");
  return view(ctx)(found(await queries.find(ctx, organization, glossaryEntryId), "Glossary entry"));
}

/**
 * Inserts, changes and deletes entries, all of them or none. 400 for a change of an entry that is not there, or of one
 * entry twice; 409 when the glossary would grow too large. Translations are redone with their next run. 403 for who is
 * no administrator, 404 to strangers.
 */
export async function update({ ctx, input }: Call<typeof Update>): Promise<void> {
  const { organizationId: organization, operations } = input;
  allowIn(ctx, organization, "translation.edit");
  refuseTwice(operations);
  await transact(ctx, async (ctx) => {
    await queries.lock(ctx, organization);
    const removed = operations.flatMap((one) => (one.type === "delete" ? [one.id] : []));
    const inserted = operations.flatMap(({ type, ...one }) =>
      type === "insert" ? [{ id: newId(), translations: (one as { translations: Terms }).translations }] : [],
    );
    const changed = operations.flatMap((one) =>
      one.type === "update" ? [one as { id: string; translations: Terms }] : [],
    );
    await queries.remove(ctx, organization, removed);
    const known = new Set(await queries.update(ctx, organization, changed));
    refuseAll(
      operations.flatMap((one, at) =>
        one.type === "update" && !known.has(one.id)
          ? [{ path: `body.operations.${at}.id`, message: "there is no such entry" }]
          : [],
      ),
    );
    await queries.insert(ctx, organization, inserted);
    if ((await queries.count(ctx, organization)) > MOST_ENTRIES)
      refuse("CONFLICT", `Glossary: has at most ${MOST_ENTRIES} entries`, { reason: "glossary_full" });
    const counts = { inserted: inserted.length, updated: changed.length, deleted: removed.length };
    await auditGlossary(ctx, "glossary.update", { id: organization, organization }, counts);
  });
}

type Terms = Record<string, string>;

function refuseTwice(operations: Call<typeof Update>["input"]["operations"]) {
  const seen = new Set<string>();
  refuseAll(
    operations.flatMap((one, at) => {
      if (one.type === "insert") return [];
      const isKnown = seen.has(one.id);
      seen.add(one.id);
      return isKnown ? [{ path: `body.operations.${at}.id`, message: "is named twice" }] : [];
    }),
  );
}
