import type { Draft } from "../../pages/editing/draft.js";
import { keepBodies } from "../../store/bodies.js";
import { decide } from "../../store/decide-entry.js";
import { entriesById } from "../../store/entries.js";
import { forgetMergeBases, mergeBasesOf, moveMergeBases, withTexts } from "../../store/merge-bases.js";
import { branchAt, type Entry, primaryAt } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { keepPlaces, misplacedIn } from "./keep-places.js";

/** A change request whose merge or update returned conflicts, and the revisions that were in conflict. */
export interface Reported {
  id: string;
  conflict_primary: number | null;
  conflict_own: number | null;
}

/** The entries of a batch that it left as they were. */
export interface Confirmed {
  /** A change set what the entry has already: as it was when a merge or update reported the conflict. */
  reported: Set<string>;
  /** A change named it and nothing else: it stays, whatever the primary content has by now. */
  now: Set<string>;
}

/** Keeps what a batch of changes decides about conflicts. */
export async function keepDecisions(
  ctx: Ctx,
  changeRequest: Reported,
  draft: Draft,
  { confirmed, undone }: { confirmed: Confirmed; undone: Set<string> },
): Promise<void> {
  const { space, base } = draft.version;
  const { id } = changeRequest;
  const kept = await keepPlaces(ctx, draft, confirmed.now);
  const isReleased = (entry: string) =>
    draft.released.has(entry) && draft.released.get(entry) === draft.put.get(entry);
  await forgetMergeBases(ctx, space, id, [...draft.released.keys()].filter(isReleased));
  const ids = [...draft.put.keys(), ...draft.removed].filter(
    (entry) => !isReleased(entry) && !undone.has(entry),
  );
  const primaries = await primariesOf(ctx, changeRequest, draft, ids, confirmed);
  if (primaries.size === 0) return;
  const asked = [...primaries.keys()];
  const [bases, moved, owns, misplaced] = await Promise.all([
    entriesById(ctx, primaryAt(space, base!.seq), asked),
    mergeBasesOf(ctx, id),
    ownReported(ctx, changeRequest, draft, asked),
    misplacedIn(ctx, draft, primaries.values()),
  ]);
  const questions = asked.map((id) => ({
    id,
    base: moved.has(id) ? moved.get(id) : bases.get(id),
    primary: primaries.get(id),
    own: owns.get(id),
    wanted: draft.put.get(id),
    confirmed: confirmed.now.has(id) || confirmed.reported.has(id),
    misplaced: misplaced.has(id) || kept.has(id),
  }));
  const sidesOf = (question: (typeof questions)[number]) => [question, { ...question, own: question.wanted }];
  const decided = new Map<string, Entry | undefined>();
  const texts: string[] = [];
  for await (const { batch, texts: known } of withTexts(ctx, space, questions, sidesOf)) {
    for (const question of batch) {
      const decision = await decide(question, known);
      if (decision) decided.set(question.id, decision.base);
      if (decision?.text !== undefined) texts.push(decision.text);
    }
  }
  await keepBodies(ctx, space, texts);
  await moveMergeBases(ctx, space, id, decided);
}

/** The primary content that each entry may be decided against: the one that was reported, or the present one. */
async function primariesOf(
  ctx: Ctx,
  { conflict_primary }: Reported,
  { version: { space } }: Draft,
  ids: string[],
  { now }: Confirmed,
): Promise<Map<string, Entry | undefined>> {
  const primaries = new Map<string, Entry | undefined>();
  const read = async (seq: number | undefined, asked: string[]) => {
    const entries = await entriesById(ctx, primaryAt(space, seq), asked);
    for (const id of asked) primaries.set(id, entries.get(id));
  };
  if (conflict_primary !== null)
    await read(
      conflict_primary,
      ids.filter((id) => !now.has(id)),
    );
  await read(
    undefined,
    ids.filter((id) => now.has(id)),
  );
  return primaries;
}

/** The entries of the change request as they were when a conflict was reported. */
async function ownReported(
  ctx: Ctx,
  { conflict_own }: Reported,
  { version }: Draft,
  ids: string[],
): Promise<Map<string, Entry>> {
  if (conflict_own === null) return new Map();
  return entriesById(ctx, branchAt(version, conflict_own), ids);
}
