import { createHash } from "node:crypto";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { lockRows } from "../../access/lock.js";
import { mergeInto } from "../../review/change-requests/rules/merge.js";
import { syncAllSoon, syncQueueOf, syncSoon } from "../../revisions/keep-in-step.js";
import { headOf } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { runExport } from "../export/run.js";
import { runImport } from "../import.js";
import * as operations from "../operations.js";
import { tipOf } from "../remote.js";
import type { ExportRequest, ImportRequest } from "../schema.js";
import { NO_COMMIT, stateOf } from "../state.js";
import * as queries from "../sync-queries.js";
import { acknowledgePush } from "./acknowledge.js";
import { isAllowed } from "./allowed.js";
import type { SyncSettings } from "./schema.js";

/** Rounds of one run: somebody may push while an export is on its way. Whoever pushes on and on is followed by the next run. */
const MOST_ROUNDS = 5;

interface Step {
  space: string;
  signal: AbortSignal;
  isLast: boolean;
}

/**
 * Puts a space and its branch in step: imports what was pushed, merges what the space changed meanwhile, exports the
 * rest. Safe to run again after a crash at any point. What both sides changed differently stays in a change request.
 * Nothing is done while who set it may not set it any more.
 */
export async function keepInStep(ctx: Ctx, step: Step): Promise<void> {
  const { space } = step;
  await operations.failInterrupted(ctx, space, syncQueueOf(space));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const sync = await queries.find(ctx, space);
    if (!sync) return;
    if (!(await isAllowed(ctx, sync))) return void (await queries.notePaused(ctx, sync, "permission"));
    if (sync.paused) await queries.notePaused(ctx, sync, null);
    for (const changeRequest of queries.conflictsOf(sync)) await mergeDecided(ctx, sync, changeRequest);
    const settings = JSON.parse(ctx.vault.open(sync.settings, queries.settingsOf(space))) as SyncSettings;
    if (await hasFilled(ctx, sync, settings, step)) {
      await queries.noteChecked(ctx, sync);
      continue;
    }
    const wanted = await nextOf(ctx, sync, settings, step);
    if (wanted === undefined) return void (await queries.noteChecked(ctx, sync));
    const ended = await operate(ctx, sync, settings, { ...step, ...wanted });
    if (!ended) return;
    if (ended.state === "failure" && ended.reason !== "conflict") return;
    if (ended.state === "success" && sync.initial !== null) await queries.noteChecked(ctx, sync);
  }
  await transact(ctx, (ctx) => syncSoon(ctx, space));
}

type Wanted = { direction: "import" | "export"; force: boolean };

/** What is to be done next; nothing when both are the same. */
async function nextOf(
  ctx: Ctx,
  { space, initial }: queries.Row,
  settings: SyncSettings,
  { signal }: Step,
): Promise<Wanted | undefined> {
  const { egress, workFolder: folder } = ctx;
  const { url, ref, priority } = settings;
  // Whether it is away, the operation finds out, and says so.
  const found = await tipOf({ url, ref, folder, egress, signal }).catch(() => undefined);
  const tip = found?.commit;
  if (initial !== null && (tip || (found?.isEmpty && priority === "repository")))
    return { direction: initial === "space" ? "export" : "import", force: true };
  const known = await stateOf(ctx, space);
  if (tip && tip !== known?.commit) {
    const unconfirmed = await operations.unconfirmedPushes(ctx, space);
    if (!unconfirmed.some(({ commit }) => commit === tip)) return { direction: "import", force: false };
  }
  const { seq } = await headOf(ctx, space);
  const there = found && (tip ?? NO_COMMIT);
  if (there === undefined || there !== known?.commit || known.seq < seq)
    return { direction: "export", force: false };
  return undefined;
}

/**
 * Whether the branch has taken everything from the space already, by an export whose end was not recorded: what was pushed on
 * top of it since is imported, and not overwritten by another one.
 */
async function hasFilled(ctx: Ctx, sync: queries.Row, settings: SyncSettings, { signal }: Step) {
  if (sync.initial !== "space") return false;
  const request = exportRequest(settings, true);
  return acknowledgePush(ctx, { space: sync.space, firstOf: nameOf(sync), request, signal });
}

/** Tells settings from those that are put after them. */
const nameOf = ({ settings }: queries.Row) => createHash("sha256").update(settings).digest("base64url");

const exportRequest = (settings: SyncSettings, force: boolean, firstOf?: string): ExportRequest => ({
  ...settings,
  force,
  firstOf,
  commitMessage: "Update from Octavo",
});

/** Whether a space is still kept in step with this branch, which no transfer ends until the transaction does. */
async function isKept(ctx: Ctx, { space, settings }: queries.Row): Promise<boolean> {
  await lockRows(ctx, [space], "use");
  return (await queries.find(ctx, space))?.settings === settings;
}

/** Runs one operation, seen at `git/info` like those that are asked for. Undefined when the sync is over. */
async function operate(
  ctx: Ctx,
  sync: queries.Row,
  settings: SyncSettings,
  { direction, force, signal, isLast }: Step & Wanted,
): Promise<{ state: string; reason: string | null } | undefined> {
  const { space, created_by } = sync;
  if (direction === "import" && !force)
    await acknowledgePush(ctx, { space, request: exportRequest(settings, force), signal });
  const id = newId();
  const request: ImportRequest | ExportRequest =
    direction === "import"
      ? { ...settings, force, standalone: false, continues: !force }
      : exportRequest(settings, force, force ? nameOf(sync) : undefined);
  const sealed = ctx.vault.seal(JSON.stringify(request), operations.requestOf(id));
  const queue = syncQueueOf(space);
  const isBegun = await transact(ctx, async (ctx) => {
    if (!(await isKept(ctx, sync))) return false;
    await operations.insert(ctx, { id, space, direction, created_by, request: sealed, queue });
    return true;
  });
  if (!isBegun) return undefined;
  const operation = (await operations.findRunning(ctx, id))!;
  const run = direction === "import" ? runImport : runExport;
  try {
    await run(ctx, operation, signal, { isLast });
  } catch (error) {
    // Tried again by the job, which begins an operation of its own.
    const message = "It was interrupted, and is tried again";
    await operations.fail(ctx, operation, { message, reason: null });
    throw error;
  }
  return operations.find(ctx, id);
}

/** Merges a change request that was in conflict, if that is decided. */
async function mergeDecided(ctx: Ctx, sync: queries.Row, id: string): Promise<void> {
  const { space } = sync;
  await transact(ctx, async (ctx) => {
    if (!(await isKept(ctx, sync))) return;
    const organization = await operations.organizationOf(ctx, space);
    const status = await operations.statusOfChangeRequest(ctx, id);
    const isOpen = status === "draft" || status === "open";
    const merged = isOpen ? await mergeInto(ctx, { space, organization, id }) : undefined;
    if (merged?.result !== "conflicts") await queries.endConflict(ctx, space, id);
  });
}

/** Branches without a webhook for so long are polled. */
const POLLED_AFTER_MS = 4 * 60_000;
const PORTION = 500;

/** Polls branches for which no webhook arrived for a while. */
export async function poll(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const since = new Date(ctx.clock().getTime() - POLLED_AFTER_MS);
  for (let last = ""; ; ) {
    signal.throwIfAborted();
    const spaces = await queries.unchecked(ctx, since, last, PORTION);
    await syncAllSoon(ctx, spaces, 0);
    if (spaces.length < PORTION) return;
    last = spaces.at(-1)!;
  }
}
