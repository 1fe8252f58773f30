import { isMet } from "@octavo/markdown/expression/evaluate";
import type { Caller, ReaderCaller } from "@octavo/shared/contracts/callers";
import type { Level } from "@octavo/shared/contracts/roles";
import { permits } from "../permissions.js";

/** What decides whether a visitor of a site is shown a space. */
export interface Visited {
  id: string;
  organization: string;
  /** The epoch at which the site reported that it shows the space; null when it does not, and for all other callers. */
  shown: number | null;
  /** What visitors have to meet to be shown the space, all of it. */
  conditions: string[] | null;
}

/** The work that the conditions of one space may do together. */
const STEPS = 20_000;

/**
 * What a visitor is shown of a space: all that the site publishes of it, nothing, or nothing any more, since the audience
 * of the site was narrowed after the token was made. A token for a preview reads the space at its address, whether the
 * site is published or not.
 */
export function sightOf(caller: ReaderCaller, row: Visited): "shown" | "hidden" | "ended" {
  if (caller.preview)
    return row.id === caller.space && row.organization === caller.organization ? "shown" : "hidden";
  if (row.shown === null || !meetsAll(row.conditions ?? [], caller.claims ?? {})) return "hidden";
  return row.shown <= caller.epoch ? "shown" : "ended";
}

/** Whether a visitor may see where a space is edited: the one at the address, where the site consents. */
export const seesEditLink = (caller: Caller, space: string): boolean =>
  caller.kind === "reader" && caller.editLink === true && caller.space === space;

function meetsAll(conditions: string[], claims: Record<string, unknown>): boolean {
  const inputs = { visitor: { claims }, space: { vars: {} }, page: { vars: {} } };
  const budget = { steps: STEPS };
  return conditions.every((condition) => isMet(condition, inputs, budget));
}

/** What decides which revision of a space its visitors are shown. */
export interface Pinned {
  id: string;
  shown: number | null;
  revision: string;
  /** The revision that is shown instead of the current one, while a release is pinned. */
  pinned: string | null;
}

/**
 * The revision of a space that its content is for the caller: the current one for who may read the space, else what
 * visitors are shown. Of the space at the address it is the one that the token names, where
 * the token is newer than the last word of the site: that is on its way.
 */
export function shownRevision(caller: Caller, { id, shown, revision, pinned }: Pinned, level: Level): string {
  if (permits(level, "space.access")) return revision;
  if (caller.kind === "reader" && caller.space === id) {
    const isNewer = shown !== null && shown < caller.epoch;
    if (caller.preview || isNewer) return caller.revision;
  }
  return pinned ?? revision;
}
