import { afterAll, expect, test } from "vitest";
import { bodiesOf } from "../../store/bodies.js";
import { entriesOfKind } from "../../store/entries.js";
import { mergeBranch } from "../../store/merge-branch.js";
import { headOf, type PageEntry, versionOfBranch, versionOfRevision } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";
import { seeded } from "../../testing/trees.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
type Change = Parameters<typeof admin.changeRequests.edit>[0]["changes"][number];
type Conflict = NonNullable<Awaited<ReturnType<typeof admin.changes.ofChangeRequest>>["conflicts"]>[number];

interface Request {
  spaceId: string;
  changeRequestId: string;
}
interface Page {
  entry: PageEntry;
  text: string;
}
type State = Map<string, Page>;

/** Pages with their texts at a revision, or at the head of a branch. */
async function stateAt(space: string, at: { revision: string } | { branch: string }): Promise<State> {
  const version =
    "revision" in at
      ? await versionOfRevision(t.ctx, space, at.revision)
      : versionOfBranch(space, await headOf(t.ctx, at.branch));
  const entries = await entriesOfKind(t.ctx, version, "page");
  const texts = await bodiesOf(
    t.ctx,
    space,
    entries.flatMap(({ body }) => body ?? []),
  );
  return new Map(entries.map((entry) => [entry.id, { entry, text: texts.get(entry.body ?? "") ?? "" }]));
}

const summary = (state: State) =>
  new Map(
    [...state.values()].map(({ entry }) => {
      const { type, emoji, hidden, empty } = entry.props;
      const { id, title, slug, parent, body } = entry;
      const document = empty ? undefined : (body ?? undefined);
      return [id, { type, title, slug, parent, emoji, hidden, document } as Record<string, unknown>];
    }),
  );

/** The words that every edit brings along, each its own. */
const wordsIn = (text: string) => new Set(text.match(/word\d+/g) ?? []);

function history(seed: number) {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const one = <T>(of: T[]): T => of[below(of.length)]!;
  let words = 0;
  const word = () => `word${++words}`;

  function change(state: State): Change {
    // Most of them touch the same page, so that change requests meet.
    const page = random() < 0.6 ? [...state.keys()][0] : one([...state.keys()]);
    const into = one([null, null, ...state.keys()]);
    const chance = random();
    if (!page || (chance < 0.15 && state.size < 6)) {
      const blocks = Array.from({ length: 1 + below(4) }, word);
      const document = { markdown: `# ${word()}\n\n${blocks.join("\n\n")}\n` };
      return { operation: "insert_page", into: into ?? undefined, document };
    }
    if (chance < 0.6) {
      const blocks = state.get(page)!.text.trimEnd().split("\n\n");
      blocks.splice(1 + below(3), below(2), ...Array.from({ length: below(3) }, word));
      return { operation: "update_page", page, document: { markdown: `${blocks.join("\n\n")}\n` } };
    }
    if (chance < 0.7) return { operation: "update_page", page, title: word() };
    if (chance < 0.75) return { operation: "update_page", page, emoji: one(["1f600", "1f601", "1f602"]) };
    if (chance < 0.8) return { operation: "update_page", page, slug: word(), hidden: random() < 0.5 };
    if (chance < 0.92) return { operation: "update_page", page, into, at: below(3) };
    if (chance < 0.96) return { operation: "revert_page", page };
    return { operation: "delete_page", page };
  }

  /** What users might do about a conflict. */
  function decision({ id, properties, blocks = [] }: Conflict, own: State): Change[] {
    const page = id;
    const names = properties.map(({ name }) => name);
    const here = own.get(page);
    if (!here) return [{ operation: one(["delete_page", "revert_page"]), page }];
    if (names.includes("position")) return [{ operation: "update_page", page, into: null, at: below(3) }];
    if (names.includes("deleted") && properties.some(({ own, primary }) => own && !primary))
      return [{ operation: one(["delete_page", "revert_page"]), page }];
    const chance = random();
    if (chance < 0.3) return [{ operation: "revert_page", page }];
    if (chance < 0.6) return [{ operation: "update_page", page }];
    let markdown = here.text;
    for (const { primary, own } of blocks)
      if (own !== "") markdown = markdown.replace(own, () => `${primary.trimEnd()}\n\n${own}`);
    return [
      { operation: "update_page", page, document: { markdown } },
      { operation: "update_page", page },
    ];
  }
  return { random, below, one, change, decision };
}

/** A change that the rules refuse, as one that makes a circle, is no part of the history. */
async function edit(request: Request, ...changes: Change[]): Promise<boolean> {
  try {
    await admin.changeRequests.edit({ ...request, changes });
    return true;
  } catch (error) {
    expect(["BAD_REQUEST", "NOT_FOUND"]).toContain((error as { code: string }).code);
    return false;
  }
}

/** Law: the changes of a revision, done to what its parent held, make what it holds. */
async function checkChanges(spaceId: string, revisionId: string) {
  const { parents } = await admin.revisionContent.revision({ spaceId, revisionId });
  const [before, after] = await Promise.all([
    stateAt(spaceId, { revision: parents[0]! }),
    stateAt(spaceId, { revision: revisionId }),
  ]);
  const [pages, wanted] = [summary(before), summary(after)];
  const { changes } = await admin.changes.ofRevision({ spaceId, revisionId, limit: 1000 });
  for (const change of changes) {
    if (!("page" in change)) throw new Error(`no page was touched by ${change.type}`);
    const { id, title, type } = change.page;
    const page = pages.get(id)!;
    if (change.type === "page_deleted") pages.delete(id);
    else expect(wanted.get(id)).toMatchObject({ title, type });
    if (change.type === "page_created") {
      expect(page).toBeUndefined();
      pages.set(id, wanted.get(id)!);
    } else if (change.type === "page_moved") {
      expect(change.parent.before?.id ?? null).toBe(page.parent);
      page.parent = change.parent.after?.id ?? null;
    } else if (change.type === "page_edited") {
      for (const [name, value] of Object.entries(change.attributes)) {
        expect(value.before).toEqual(page[name]);
        page[name] = value.after;
      }
    }
  }
  expect(pages).toEqual(wanted);
}

interface Sides {
  base: State;
  primary: State;
  own: State;
}

/** Laws of a merge without decisions: what only one side touched is just as that side has it, and no word is lost. */
function checkMerge({ base, primary, own }: Sides, merged: State) {
  const value = (state: State, id: string) => summary(state).get(id);
  const equal = (one: unknown, two: unknown) => JSON.stringify(one) === JSON.stringify(two);
  for (const id of new Set([base, primary, own].flatMap((state) => [...state.keys()]))) {
    const [was, theirs, ours] = [value(base, id), value(primary, id), value(own, id)];
    // A slug that is taken gets a suffix: the only thing that a merge changes by itself.
    const { slug: _, ...now } = value(merged, id) ?? { slug: "" };
    if (equal(ours, was)) expect(value(merged, id)).toEqual(theirs);
    else if (equal(theirs, was)) expect(ours ?? {}).toMatchObject(now);
    const [b, p, o] = [base, primary, own].map((state) => wordsIn(state.get(id)?.text ?? ""));
    const kept = [...p!, ...o!].filter((word) => !b!.has(word) || (p!.has(word) && o!.has(word)));
    if (merged.has(id)) expect([...wordsIn(merged.get(id)!.text)].sort()).toEqual([...new Set(kept)].sort());
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])("a random history keeps the laws of merging (%i)", async (seed) => {
  const { random, one, below, change, decision } = history(seed);
  const spaceId = await t.space();
  const open: Request[] = [];
  async function step(edits: number) {
    const request = one(open);
    const branch = request.changeRequestId;
    for (let left = edits; left > 0; left--) {
      if (await edit(request, change(await stateAt(spaceId, { branch }))))
        await checkChanges(spaceId, (await admin.changeRequests.get(request)).revision);
    }
    return request;
  }
  for (let round = 0; round < 6; round++) {
    while (open.length < 3) {
      const { id } = await admin.changeRequests.create({ spaceId });
      open.push({ spaceId, changeRequestId: id });
      if (round === 0) break;
    }
    for (let left = 3 + below(6); left > 0; left--) await step(round === 0 ? 4 : 1);
    const request = one(open);
    if (await settle(request, random() < 0.2 ? "pull" : "merge", decision))
      open.splice(open.indexOf(request), 1);
  }
});

/** Merges or updates, deciding conflicts until there are none. Returns whether the change request is merged. */
async function settle(
  request: Request,
  how: "merge" | "pull",
  decision: (conflict: Conflict, own: State) => Change[],
): Promise<boolean> {
  const { spaceId, changeRequestId: branch } = request;
  const disputed = new Set<string>();
  for (let round = 0; round < 10; round++) {
    const head = await headOf(t.ctx, branch);
    const { revisionInitial, revisionMergedAncestor } = await admin.changeRequests.get(request);
    const base = await stateAt(spaceId, { revision: revisionMergedAncestor ?? revisionInitial });
    const primary = await stateAt(spaceId, { branch: spaceId });
    const own = await stateAt(spaceId, { branch });
    const foreseen = await mergeBranch(t.ctx, spaceId, head);
    expect(await mergeBranch(t.ctx, spaceId, head)).toEqual(foreseen);
    const { result, revision } = await admin.changeRequests[how](request);
    expect(result === "conflicts").toBe(foreseen.conflicts !== undefined);
    if (result !== "conflicts") {
      await checkChanges(spaceId, revision);
      const merged = await stateAt(spaceId, { revision });
      if (round === 0) checkMerge({ base, primary, own }, merged);
      else checkDecided({ base, primary, own }, merged, disputed);
      return how === "merge";
    }
    expect(await stateAt(spaceId, { branch: spaceId })).toEqual(primary);
    expect(await stateAt(spaceId, { branch })).toEqual(own);
    const { conflicts = [] } = await admin.changes.ofChangeRequest({ ...request, limit: 1000 });
    expect(conflicts.map(({ id }) => id)).toEqual(foreseen.conflicts!.map(({ id }) => id));
    for (const conflict of conflicts) {
      if (conflict.properties.some(({ name }) => name === "deleted")) disputed.add(conflict.id);
      for (const { primary } of conflict.blocks ?? [])
        for (const word of wordsIn(primary)) disputed.add(word);
      await edit(request, ...decision(conflict, await stateAt(spaceId, { branch })));
    }
  }
  throw new Error("the conflicts of a change request are never decided");
}

/** Law of decisions: of what the primary content had anew, only that is lost which was shown in conflict. */
function checkDecided({ base, primary, own }: Sides, merged: State, disputed: Set<string>) {
  for (const [id, { text }] of primary) {
    const now = merged.get(id);
    if (!now || disputed.has(id)) continue;
    const removed = (word: string) =>
      wordsIn(base.get(id)?.text ?? "").has(word) && own.get(id)?.text.includes(word) === false;
    const lost = [...wordsIn(text)].filter((word) => !wordsIn(now.text).has(word) && !removed(word));
    expect(lost.filter((word) => !disputed.has(word))).toEqual([]);
  }
}
