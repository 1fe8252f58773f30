import { partyOf } from "@octavo/shared/contracts/callers";
import type { Ctx } from "../trpc.js";

interface Derived<Value> {
  /** Distinguishes this value from all others that are kept of the space. */
  key: string;
  make: () => Promise<Value>;
  /** What is kept of a value, where that is not the value as it was made. */
  keptAs?: (value: Value) => Value;
  /** About how many bytes a value takes that is kept. */
  sizeOf: (value: Value) => number;
  /** Whether it is kept only when it is asked for again: of what most ask once, all would drive out what is in use. */
  ifAskedAgain?: boolean;
  /** Whether what is made from now on may be kept; always, without it. */
  mayKeep?: () => Promise<boolean>;
}

/**
 * A value that follows from the primary content, or from what else `revision` names, made once for each revision, also for
 * many requests of one caller at once. Whoever calls has resolved it just now: what is made after that is not older than
 * the revision it is kept under.
 */
export async function derivedOnce<Value extends object>(
  ctx: Ctx,
  at: { space: string; version: { revision: string } },
  derived: Derived<Value>,
): Promise<Value> {
  const { revision } = at.version;
  const { cache } = ctx;
  const name = `${at.space} ${derived.key}`;
  const kept = cache.get(name);
  const current = kept?.revision === revision ? kept : undefined;
  if (current && current.value !== NOT_MADE) return current.value as Value;
  // What a transaction reads may be taken back, and with it goes who waits for it.
  if (ctx.db.isTransaction) return derive(cache, { name, revision }, derived, current !== undefined);
  // Callers do not wait for each other: one whose turn is far away would hold up all who ask for the same.
  const wanted = `${name} at ${revision} for ${partyOf(ctx.caller)}`;
  let making = cache.underWay.get(wanted);
  if (!making) {
    making = derive(cache, { name, revision }, derived, current !== undefined).finally(() =>
      cache.underWay.delete(wanted),
    );
    cache.underWay.set(wanted, making);
  }
  return making as Promise<Value>;
}

/** Makes a value, and keeps it where that is wanted. */
async function derive<Value extends object>(
  cache: Ctx["cache"],
  { name, revision }: { name: string; revision: string },
  { make, keptAs, sizeOf, ifAskedAgain = false, mayKeep }: Derived<Value>,
  isAskedAgain: boolean,
): Promise<Value> {
  const isKept = isAskedAgain || !ifAskedAgain;
  if (isKept && mayKeep && !(await mayKeep())) return make();
  const value = await make();
  if (isKept) {
    const kept = keptAs ? keptAs(value) : value;
    cache.set(name, { revision, value: kept }, { size: sizeOf(kept) });
  } else cache.set(name, { revision, value: NOT_MADE }, { size: name.length + 100 });
  return value;
}

/** Stands for a value that was asked for once. */
const NOT_MADE = {};
