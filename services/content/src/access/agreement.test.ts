import type { Level, Role } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { afterAll, expect, test } from "vitest";
import { flagsOf, plannedFlagsOf } from "../permissions.js";
import { contentTest } from "../testing/content.js";
import { expectedLevel, plant, randomTree, seeded, type Tree } from "../testing/trees.js";

const t = await contentTest();
afterAll(() => t.drop());

const TREES = Number(process.env.AGREEMENT_TREES ?? 150);
const SEED = Number(process.env.AGREEMENT_SEED ?? 20261);

const spaceFlags = (level: Level) => ({ ...flagsOf(level, "space"), ...plannedFlagsOf(level, "space") });

type Person = Tree["people"][number];

/** The operations as this person calls them; a stranger belongs to another organization. */
const asPerson = ({ user, role, teams }: Person, { organization }: Tree) =>
  t.as(role === undefined ? { elsewhere: "admin" } : { [organization]: role }, { id: user, teams });

const readable = <T>(things: T[], levelOf: (thing: T) => Role | null | undefined) =>
  things.filter((thing) => levelOf(thing));
const ids = (things: { id: string }[]) => things.map(({ id }) => id).sort();

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => errorBody(error, "").status,
  );

/** Lists are read in pages of so many: three for every seventh tree. */
let limit = 50;

/** All items of a list. */
async function walk<Item>(
  list: (input: { page?: string; limit: number }) => Promise<{
    items: Item[];
    count: number;
    next?: { page: string };
  }>,
) {
  const items: Item[] = [];
  for (let page: string | undefined; ; ) {
    const response = await list({ page, limit });
    items.push(...response.items);
    page = response.next?.page;
    if (!page) return { items, count: response.count };
  }
}

/** What each person sees of a tree, by every way to see it, against the rules. */
async function compare(tree: Tree, person: Person): Promise<number> {
  const { organization: organizationId, spaces, collections } = tree;
  const caller = asPerson(person, tree);
  const visible = readable(spaces, (space) => expectedLevel(person, space));
  const open = readable(collections, (collection) => expectedLevel(person, collection));
  for (const space of spaces) {
    const level = expectedLevel(person, space);
    const spaceId = space.id;
    const viewed = level || space.public;
    const flags = { ...spaceFlags(level), view: Boolean(viewed) };
    if (viewed) expect((await caller.spaces.get({ spaceId })).permissions).toEqual(flags);
    else expect(await statusOf(caller.spaces.get({ spaceId }))).toBe(404);
    if (limit === 3) {
      expect(await statusOf(caller.content.pages({ spaceId }))).toBe(viewed ? 200 : 404);
      expect(await statusOf(caller.content.revision({ spaceId }))).toBe(level ? 200 : 404);
    }
  }
  for (const { id: collectionId, ...collection } of collections) {
    const level = expectedLevel(person, { id: collectionId, ...collection });
    if (!level) expect(await statusOf(caller.collections.get({ collectionId }))).toBe(404);
    else {
      expect((await caller.collections.get({ collectionId })).permissions).toEqual(
        flagsOf(level, "collection"),
      );
      const inside = visible.filter(({ parent }) => parent?.id === collectionId);
      const listed = await walk((input) => caller.spaces.listInCollection({ collectionId, ...input }));
      expect(ids(listed.items)).toEqual(ids(inside));
    }
  }
  expect(ids(await caller.spaces.lookup({ ids: ids(spaces) }))).toEqual(ids(visible));
  if (person.role === undefined) {
    expect(await statusOf(caller.spaces.list({ organizationId }))).toBe(404);
    expect(await statusOf(caller.collections.list({ organizationId }))).toBe(404);
    return spaces.length + collections.length;
  }
  const listed = await walk((input) => caller.spaces.list({ organizationId, ...input }));
  expect([ids(listed.items), listed.count]).toEqual([ids(visible), visible.length]);
  for (const { id, permissions } of listed.items) {
    const space = spaces.find((one) => one.id === id)!;
    expect(permissions).toEqual(spaceFlags(expectedLevel(person, space)));
  }
  const shelves = await walk((input) => caller.collections.list({ organizationId, ...input }));
  expect([ids(shelves.items), shelves.count]).toEqual([ids(open), open.length]);
  const { items } = await walk((input) =>
    caller.spaces.listOfMember({ organizationId, userId: person.user, ...input }),
  );
  expect(new Map(items.map(({ space, permission }) => [space.id, permission]))).toEqual(
    new Map(visible.map((space) => [space.id, expectedLevel(person, space)])),
  );
  return spaces.length + collections.length;
}

/** What an administrator reads about everybody else. */
async function compareAggregated(tree: Tree): Promise<void> {
  const { organization: organizationId, spaces, collections, people } = tree;
  const members = people.flatMap(({ role, ...person }) => (role === undefined ? [] : { role, ...person }));
  t.directory.clear();
  for (const member of members) t.directory.member(organizationId, member);
  const admin = asPerson({ user: "somebody", role: "admin", teams: [] }, tree);
  for (const member of members) {
    const { items } = await admin.spaces.listOfMember({ organizationId, userId: member.user });
    const visible = readable(spaces, (space) => expectedLevel(member, space));
    expect(new Map(items.map(({ space, permission }) => [space.id, permission]))).toEqual(
      new Map(visible.map((space) => [space.id, expectedLevel(member, space)])),
    );
  }
  for (const thing of [...spaces, ...collections]) {
    const aggregated = (role?: Role) =>
      walk<{ user: { id: string }; permission: Role }>((input) =>
        spaces.includes(thing)
          ? admin.spaceGrants.aggregate({ spaceId: thing.id, role, ...input } as never)
          : admin.collectionGrants.aggregate({ collectionId: thing.id, role, ...input } as never),
      );
    const all = members.flatMap((member) => {
      const permission = expectedLevel(member, thing);
      return permission ? [[member.user, permission] as const] : [];
    });
    const { items, count } = await aggregated();
    expect(new Map(items.map(({ user, permission }) => [user.id, permission]))).toEqual(new Map(all));
    expect(count).toBe(all.length);
    const editors = await aggregated("edit");
    expect(editors.items.map(({ user }) => user.id)).toEqual(
      all.filter(([, permission]) => permission === "edit").map(([user]) => user),
    );
  }
}

test(`over ${TREES} random trees, levels, lists and aggregated grants agree with the rules`, async () => {
  const random = seeded(SEED);
  let decisions = 0;
  for (let index = 0; index < TREES; index++) {
    limit = index % 7 === 0 ? 3 : 50;
    const tree = randomTree(random);
    await plant(t.ctx, tree);
    const compared = await Promise.all(tree.people.map((person) => compare(tree, person)));
    decisions += compared.reduce((sum, count) => sum + count, 0);
    if (index % 3 === 0) await compareAggregated(tree);
  }
  expect(decisions).toBeGreaterThan(TREES * 50);
});
