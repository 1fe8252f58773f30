import type { ReadAction } from "../access/level.js";
import type { Ctx } from "../trpc.js";
import { tagRevision } from "./tag.js";
import { type Projection, type ResolvedTarget, readTarget, resolveTarget, type Target } from "./target.js";

interface Cached<Row, Args> {
  /** Name of the part, and with the target the name under which the row is kept. */
  name: string;
  part: Projection<Row, Args>;
  args: Args;
  /** About how many bytes a row takes. */
  sizeOf: (row: Row) => number;
}

/**
 * Resolves a target and reads a part of its content, like `readTarget`. A revision never changes: while the space still
 * shows the one that the row was read at, only access and revision are read from the database. A change request is
 * not cached: its head and its content are read one after the other, and may belong to two revisions.
 */
export async function readCached<Row extends object, Args extends object>(
  ctx: Ctx,
  target: Target,
  action: ReadAction,
  { name, part, args, sizeOf }: Cached<Row, Args>,
): Promise<{ scope: ResolvedTarget; part: Row }> {
  if (target.changeRequestId !== undefined) return readTarget(ctx, target, action, part, args);
  const key = [name, target.spaceId, target.revisionId, JSON.stringify(args)].join(" ");
  const kept = ctx.cache.get(key);
  if (kept) {
    const scope = await resolveTarget(ctx, target, action);
    if (target.immutable) tagRevision(ctx, scope, target.revisionId !== undefined);
    const own = isPinned(target, scope) ? ctx.cache.get(pinnedKey(key, scope)) : kept;
    if (own && scope.version.revision === own.revision) return { scope, part: own.value as Row };
  }
  const read = await readTarget(ctx, target, action, part, args);
  const { scope } = read;
  const pinned = isPinned(target, scope);
  const value = { revision: scope.version.revision, value: read.part };
  ctx.cache.set(pinned ? pinnedKey(key, scope) : key, value, { size: sizeOf(read.part) });
  // So that it is looked for: whoever comes next is resolved first.
  if (pinned && !kept) ctx.cache.set(key, { revision: "", value: NOT_MADE }, { size: key.length + 100 });
  return read;
}

/** Whether a space is read at a revision that is pinned for the caller. Others read the current one, and both are kept. */
const isPinned = ({ revisionId }: Target, { version }: ResolvedTarget) =>
  revisionId === undefined && version.seq !== undefined;

const pinnedKey = (key: string, { version }: ResolvedTarget) => `${key} at ${version.revision}`;

interface Derived<Value> {
  /** Distinguishes this value from all others that are kept of the space. */
  key: string;
  make: () => Promise<Value>;
  /** About how many bytes a value takes. */
  sizeOf: (value: Value) => number;
  /** Whether it is kept only when it is asked for again: of what most ask once, all would drive out what is in use. */
  ifAskedAgain?: boolean;
  /** Whether what is made from now on may be kept; always, without it. */
  mayKeep?: () => Promise<boolean>;
}

/**
 * A value that follows from the primary content, or from what else `revision` names, made once for each revision.
 * Whoever calls has resolved it just now: what is made after that is not older than the revision it is kept under.
 */
export async function derivedOnce<Value extends object>(
  ctx: Ctx,
  { space, version: { revision } }: { space: string; version: { revision: string } },
  { key, make, sizeOf, ifAskedAgain = false, mayKeep }: Derived<Value>,
): Promise<Value> {
  const name = `${space} ${key}`;
  const kept = ctx.cache.get(name);
  const current = kept?.revision === revision ? kept : undefined;
  if (current && current.value !== NOT_MADE) return current.value as Value;
  const isKept = current !== undefined || !ifAskedAgain;
  if (isKept && mayKeep && !(await mayKeep())) return make();
  const value = await make();
  if (isKept) ctx.cache.set(name, { revision, value }, { size: sizeOf(value) });
  else ctx.cache.set(name, { revision, value: NOT_MADE }, { size: name.length + 100 });
  return value;
}

/** Stands for a value that was asked for once. */
const NOT_MADE = {};
