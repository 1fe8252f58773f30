import { randomBytes } from "node:crypto";
import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { auditSpace } from "../../audit.js";
import { keepPerson } from "../../people/queries.js";
import { syncSoon } from "../../revisions/keep-in-step.js";
import { lockTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import * as queries from "../sync-queries.js";
import type { ReadSync, SyncSettings, UpdateSync } from "./schema.js";
import { syncSettingsView } from "./view.js";

/**
 * Keeps a space in step with a branch from now on: a merge is exported, a push is imported. `priority` is the side that
 * the other one takes everything from at first. How it goes is seen at `git/info`. 403 for who may not sync the space
 * with git, 404 to strangers.
 */
export async function update({ ctx, input }: Call<typeof UpdateSync>) {
  const { spaceId, secret = randomBytes(24).toString("base64url"), ...settings } = input;
  const { priority = "repository" } = settings;
  return transact(ctx, async (ctx) => {
    const { space, organization } = await lockTarget(ctx, { spaceId }, "space.triggerGitSync");
    await keepPerson(ctx);
    await queries.put(ctx, {
      space,
      settings: ctx.vault.seal(JSON.stringify(settings), queries.settingsOf(space)),
      secret: ctx.vault.seal(secret, queries.secretOf(space)),
      initial: priority,
      created_by: userOf(ctx).id,
    });
    const { ref, repoProjectDirectory: directory = "" } = settings;
    const details = { host: new URL(settings.url).host, ref, directory, priority };
    await auditSpace(ctx, "space.git.sync.update", { id: space, organization }, details);
    await syncSoon(ctx, space, 0);
    const row = found(await queries.find(ctx, space), "Git");
    return syncSettingsView(ctx, { row, settings, conflict: await queries.openConflict(ctx, row), secret });
  });
}

/**
 * Returns with which branch a space is kept in step, to who may change that; 403 to others who read the space, 404 to
 * strangers and where there is none.
 */
export async function get({ ctx, input }: Call<typeof ReadSync>) {
  const { spaceId } = input;
  const row = await transact(ctx, async (ctx) => {
    const { space } = await lockTarget(ctx, { spaceId }, "space.triggerGitSync");
    return found(await queries.find(ctx, space), "Git");
  });
  const settings = JSON.parse(ctx.vault.open(row.settings, queries.settingsOf(row.space))) as SyncSettings;
  return syncSettingsView(ctx, { row, settings, conflict: await queries.openConflict(ctx, row) });
}

/** Keeps a space in step no longer; what both sides have stays. 403 for who may not sync the space with git. */
export async function remove({ ctx, input }: Call<typeof ReadSync>) {
  const { spaceId } = input;
  await transact(ctx, async (ctx) => {
    const { space, organization } = await lockTarget(ctx, { spaceId }, "space.triggerGitSync");
    await queries.remove(ctx, space);
    await auditSpace(ctx, "space.git.sync.remove", { id: space, organization }, {});
  });
}
