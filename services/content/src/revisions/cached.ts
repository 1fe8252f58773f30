import type { Ctx } from "../trpc.js";

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
