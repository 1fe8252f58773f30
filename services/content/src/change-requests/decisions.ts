import { found } from "@octavo/shared/errors";
import { type Draft, draftEntries } from "../editing/draft.js";
import { keepBodies } from "../store/bodies.js";
import { decide } from "../store/decide.js";
import { entriesById, pagesBelow } from "../store/entries.js";
import { forgetMergeBases, mergeBasesOf, moveMergeBases, textsOf } from "../store/merge-bases.js";
import type { Entry, Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** A change request whose merge or update was answered with conflicts, and the revisions that were in conflict. */
export interface Reported {
  id: string;
  conflict_primary: number | null;
  conflict_own: number | null;
}

/** The primary content that was found in conflict; undefined when nothing was. */
export const reportedPrimary = (space: string, { conflict_primary }: Reported): Version | undefined =>
  conflict_primary === null ? undefined : { space, branch: space, revision: "", seq: conflict_primary };

/**
 * Keeps what a batch of changes decides about reported conflicts. `confirmed` are the entries that a change named and
 * left as they were.
 */
export async function keepDecisions(
  ctx: Ctx,
  changeRequest: Reported,
  draft: Draft,
  confirmed: Set<string>,
): Promise<void> {
  const { space, base, branch } = draft.version;
  const { id, conflict_own } = changeRequest;
  const isReleased = (entry: string) =>
    draft.released.has(entry) && draft.released.get(entry) === draft.put.get(entry);
  await forgetMergeBases(ctx, space, id, [...draft.released.keys()].filter(isReleased));
  const primary = reportedPrimary(space, changeRequest);
  if (!primary) return;
  const ids = [...draft.put.keys(), ...draft.removed].filter((entry) => !isReleased(entry));
  const reported: Version = { space, branch, revision: "", seq: conflict_own!, base };
  const [bases, moved, primaries, owns] = await Promise.all([
    entriesById(ctx, { ...primary, seq: base!.seq }, ids),
    mergeBasesOf(ctx, id),
    entriesById(ctx, primary, ids),
    entriesById(ctx, reported, ids),
  ]);
  const questions = ids.map((id) => ({
    id,
    base: moved.has(id) ? moved.get(id) : bases.get(id),
    primary: primaries.get(id),
    own: owns.get(id),
    wanted: draft.put.get(id),
    confirmed: confirmed.has(id),
  }));
  const sides = questions.flatMap((question) => [question, { ...question, own: question.wanted }]);
  const textOf = await textsOf(ctx, space, sides);
  const decided = new Map<string, Entry | undefined>();
  const texts: string[] = [];
  for (const question of questions) {
    const decision = decide(question, textOf);
    if (decision) decided.set(question.id, decision.base);
    if (decision?.text !== undefined) texts.push(decision.text);
  }
  await keepBodies(ctx, space, texts);
  await moveMergeBases(ctx, space, id, decided);
}

/**
 * Confirms that a page shall be gone which the change request does not show, though the primary content that was found
 * in conflict has it, and with it the pages below it. Answers their ids; 404 when there is no such page.
 */
export async function confirmRemoval(
  ctx: Ctx,
  changeRequest: Reported,
  draft: Draft,
  page: string,
): Promise<string[]> {
  const primary = reportedPrimary(draft.version.space, changeRequest);
  const entry = primary && (await entriesById(ctx, primary, [page])).get(page);
  found(entry?.kind === "page" ? entry : undefined, `Page ${page}`);
  const ids = [page, ...(await pagesBelow(ctx, primary!, page)).map(({ id }) => id)];
  const shown = await draftEntries(ctx, draft, ids);
  const gone = ids.filter((id) => !shown.has(id));
  for (const id of gone) draft.removed.add(id);
  return gone;
}
