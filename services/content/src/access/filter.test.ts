import type { Caller, Reach } from "@octavo/shared/contracts/callers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";

const t = await contentTest();
afterAll(t.drop);

const organizationId = "acme";
const admin = t.as({ acme: "admin", beta: "admin" }, { id: "ada" });

const world = { open: "", closed: "", inside: "", elsewhere: "", collection: "", shut: "" };
beforeAll(async () => {
  const collection = await admin.collections.create({ organizationId });
  const shut = await admin.collections.create({ organizationId, parent: collection.id });
  await admin.collections.update({ collectionId: shut.id, defaultLevel: null });
  const space = async (parent?: string) => (await admin.spaces.create({ organizationId, parent })).id;
  const [open, closed, inside] = [await space(), await space(), await space(shut.id)];
  await admin.spaces.update({ spaceId: closed, defaultLevel: null });
  const { id: elsewhere } = await admin.spaces.create({ organizationId: "beta" });
  Object.assign(world, { open, closed, inside, elsewhere, collection: collection.id, shut: shut.id });
});

const nameOf = ({ id }: { id: string }) => Object.entries(world).find(([, known]) => known === id)?.[0];

/** What lists of the organization show to a script, and what is read of each space there. */
async function seen(spaces: Reach | undefined, scopes = ["space:metadata:read", "space:content:read"]) {
  const script: Caller = {
    kind: "integration",
    integration: "witness",
    installation: "i",
    organization: "acme",
    scopes,
    token: "t",
    spaces,
  };
  const api = t.call(script);
  const [listed, collections, found] = await Promise.all([
    api.spaces.list({ organizationId }),
    api.collections.list({ organizationId }),
    api.spaces.lookup({ ids: Object.values(world) }),
  ]);
  expect(listed.items.map(nameOf).sort()).toEqual(found.map(nameOf).sort());
  expect(listed.count).toBe(listed.items.length);
  return { spaces: listed.items.map(nameOf).sort(), collections: collections.items.map(nameOf).sort() };
}

test("lists show a script of the whole organization what its members see", async () => {
  const all = { spaces: ["open"], collections: ["collection"] };
  expect(await seen(undefined)).toEqual(all);
  expect(await seen({ all: true, but: [] })).toEqual(all);
});

test("lists show a script nothing of the spaces that it was taken out of", async () => {
  expect((await seen({ all: true, but: [world.open] })).spaces).toEqual([]);
  expect((await seen({ all: true, but: [world.closed] })).spaces).toEqual(["open"]);
});

test("lists show a script the spaces alone that it was installed on, closed or not", async () => {
  const but = [world.closed, world.inside, world.elsewhere];
  expect(await seen({ all: false, but })).toEqual({ spaces: ["closed", "inside"], collections: [] });
  expect(await seen({ all: false, but: [] })).toEqual({ spaces: [], collections: [] });
});
