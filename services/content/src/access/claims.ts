import type { Caller } from "@octavo/shared/contracts/callers";

/** What the caller claims as a visitor of a site; nobody else claims anything. */
export const claimsOf = (caller: Caller): Record<string, unknown> =>
  caller.kind === "reader" ? (caller.claims ?? {}) : {};

/** What distinguishes visitors who may be shown different things; all others are shown the same. */
export const visitorKey = (caller: Caller) =>
  caller.kind === "reader" ? ["visitor", caller.claims ?? null] : [];
