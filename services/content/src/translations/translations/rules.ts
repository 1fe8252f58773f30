// A translation keeps a space in another language: a run translates what changed into a space of its own.

import { roleIn } from "@octavo/shared/contracts/callers";
import { transact } from "@octavo/shared/database/transact";
import { found, refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { lockSpace } from "../../access/load-space.js";
import { auditTranslation } from "../../audit.js";
import { authorOf } from "../../people/author.js";
import { allowIn } from "../../permissions.js";
import type { Call, Ctx } from "../../trpc.js";
import { enqueueRun } from "../running/jobs.js";
import * as queries from "../store/translations.js";
import type { Create, List, One, Update } from "./schema.js";
import { view } from "./view.js";

const show = (ctx: Ctx, row: queries.Row) => view(ctx, roleIn(ctx.caller, row.organization))(row);

/**
 * Lists the translations of an organization to administrators, the oldest first; 403 to other members, 404 to
 * strangers.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { organizationId: organization } = input;
  allowIn(ctx, organization, "translation.view");
  const query = queries.inOrganization(ctx, organization);
  return paginate({ query, input, view: (rows) => rows.map((row) => show(ctx, row)) });
}

/** Returns a translation to administrators; 403 to other members, 404 when there is none. */
export async function get({ ctx, input }: Call<typeof One>) {
  const { organizationId: organization, translationId } = input;
  allowIn(ctx, organization, "translation.view");
  return show(ctx, found(await queries.find(ctx, organization, translationId), "Translation"));
}

const NO_INSTRUCTIONS = { object: "document", data: { schemaVersion: 1 }, nodes: [] };

/**
 * Creates a translation, which the first run fills; 400 for a space of no such organization, or into its own language,
 * 403 for who is no administrator, 404 for a space out of reach.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId: organization, source, language, instructions = NO_INSTRUCTIONS } = input;
  allowIn(ctx, organization, "translation.edit");
  if (language === source.language) refuseAt("body.language", "is the language of the source");
  return transact(ctx, async (ctx) => {
    const space = await lockSpace(ctx, source.space, "space.access", { strength: "use" });
    if (space.organization !== organization) refuseAt("body.source.space", "is another organization's");
    const now = ctx.clock();
    const row = await queries.insert(ctx, {
      id: newId(),
      organization,
      space: source.space,
      source_language: source.language,
      language,
      instructions: JSON.stringify(instructions),
      created_by: await authorOf(ctx),
      created_at: now,
      updated_at: now,
    });
    await auditTranslation(ctx, "translation.create", row, { space: source.space, language });
    return show(ctx, row);
  });
}

/**
 * Changes the instructions of a translation; with its next run all of it is translated again. 403 for who is no
 * administrator, 404 when there is none.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  return change(ctx, input, async (ctx, { id }) => {
    const set = { instructions: JSON.stringify(input.instructions), updated_at: ctx.clock() };
    const row = found(await queries.update(ctx, id, set), "Translation");
    await auditTranslation(ctx, "translation.update", row);
    return show(ctx, row);
  });
}

/**
 * Deletes a translation with the segments that it remembers; the space that it made stays. 403 for who is no
 * administrator. No error when there is none.
 */
export function remove({ ctx, input }: Call<typeof One>): Promise<void> {
  return change(ctx, input, async (ctx, row) => {
    await queries.remove(ctx, row.id);
    await auditTranslation(ctx, "translation.delete", row, { language: row.language });
  });
}

/** Starts a run; how it goes is seen at the translation. 403 for who is no administrator, 404 when there is none. */
export function run({ ctx, input }: Call<typeof One>): Promise<void> {
  return change(ctx, input, async (ctx, row) => {
    await enqueueRun(ctx, row);
    await auditTranslation(ctx, "translation.run", row);
  });
}

async function change<Result>(
  ctx: Ctx,
  { organizationId, translationId }: Call<typeof One>["input"],
  make: (ctx: Ctx, row: queries.Row) => Promise<Result>,
): Promise<Result> {
  allowIn(ctx, organizationId, "translation.edit");
  return transact(ctx, async (ctx) =>
    make(ctx, found(await queries.lock(ctx, organizationId, translationId), "Translation")),
  );
}
