import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { hashOfShareKey } from "@octavo/shared/contracts/share-keys";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { contentTest } from "../../testing/content.js";
import { listeners } from "./listeners.js";

let t: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  t = await contentTest();
});
afterAll(() => t.drop());

const admin = () => t.as({ acme: "admin" });
const create = async (parent?: string) =>
  (await admin().spaces.create({ organizationId: "acme", title: "Guide", parent })).id;

/** What the consumer does with an event. */
function receive(
  site: string,
  spaces: z.output<typeof SiteAudience.payload>["spaces"],
  published = true,
  organization = "acme",
  visitorAuth?: { backend: string },
) {
  const payload = { site, organization, published, visitorAuth, spaces };
  const event = { id: "e", name: SiteAudience.name, aggregate: site, occurredAt: new Date().toISOString() };
  return transact(t.ctx, (ctx) => listeners[0]!.handle({ ctx, payload, event }));
}
const changes = async (space: string) =>
  (await t.emitted("content.space.visibilityChanged"))
    .map((event) => event as { space: string; previous: string; visibility: string })
    .filter((event) => event.space === space)
    .map(({ previous, visibility }) => `${previous} > ${visibility}`);

test("a space is as visible as the most open site that shows it, and has its address", async () => {
  const space = await create();
  await receive("s1", [{ space, visibility: "visitor-auth", url: "http://sites.test/one" }]);
  const seen = await admin().spaces.get({ spaceId: space });
  expect(seen).toMatchObject({ visibility: "visitor-auth", urls: { published: "http://sites.test/one" } });
  expect(seen.urls.public).toBeUndefined();
  await receive("s2", [{ space, visibility: "public", url: "http://sites.test/two" }]);
  await receive("s2", [{ space, visibility: "public", url: "http://sites.test/new" }]);
  expect(await admin().spaces.get({ spaceId: space })).toMatchObject({
    visibility: "public",
    urls: { published: "http://sites.test/new", public: "http://sites.test/new" },
  });
  const { items } = await admin().spaces.list({ organizationId: "acme" });
  expect(items.find(({ id }) => id === space)?.urls.public).toBe("http://sites.test/new");
  await receive("s2", [], false);
  expect(await admin().spaces.get({ spaceId: space })).toMatchObject({ visibility: "visitor-auth" });
  await receive("s1", [{ space, visibility: "visitor-auth", url: "http://sites.test/one" }], false);
  expect((await admin().spaces.get({ spaceId: space })).urls.published).toBeUndefined();
  expect(await changes(space)).toEqual([
    "private > visitor-auth",
    "visitor-auth > public",
    "public > visitor-auth",
    "visitor-auth > private",
  ]);
});

test("an audience event that repeats changes nothing; a space shown twice counts once, one unknown not at all", async () => {
  const space = await create();
  const spaces = [
    { space, visibility: "unlisted", url: "http://sites.test/first" },
    { space, visibility: "unlisted", url: "http://sites.test/second" },
    { space: "unknown", visibility: "public", url: "http://sites.test/third" },
    { space: await create(), visibility: "of the future", url: "http://sites.test/fourth" },
  ];
  await receive("s3", spaces);
  await receive("s3", spaces);
  expect((await admin().spaces.get({ spaceId: space })).urls.published).toBe("http://sites.test/first");
  expect(await changes(space)).toEqual(["private > unlisted"]);
  await expect(admin().spaces.update({ spaceId: space, editMode: "live" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("a space that no site shows is as visible as its collection while it inherits from it", async () => {
  const { id: parent } = await admin().collections.create({ organizationId: "acme", title: "Team" });
  const space = await create(parent);
  await admin().spaces.update({ spaceId: space, defaultLevel: null });
  await admin().spaces.update({ spaceId: space, defaultLevel: "inherit" });
  await admin().spaces.move({ spaceId: space, parent: null });
  await admin().spaces.update({ spaceId: space, defaultLevel: "read" });
  expect(await changes(space)).toEqual([
    "in-collection > private",
    "private > in-collection",
    "in-collection > private",
  ]);
});

test("a space shows its visitor authentication as soon as the event of its site arrives", async () => {
  const space = await create();
  const shown = (visibility: string) => [{ space, visibility, url: "http://sites.test/four" }];
  const showWith = (backend: string, visibility = "visitor-auth", published = true) =>
    receive("s4", shown(visibility), published, "acme", { backend });
  const seen = async () => {
    const { visitorAuth } = await admin().spaces.get({ spaceId: space });
    const { items } = await admin().spaces.list({ organizationId: "acme" });
    expect(items.find(({ id }) => id === space)?.visitorAuth).toEqual(visitorAuth);
    return visitorAuth;
  };
  // What sites of the release before this one publishes.
  await receive("s4", shown("visitor-auth"));
  expect(await seen()).toBeUndefined();
  await showWith("custom");
  expect(await seen()).toEqual({ backend: "custom" });
  await showWith("integration");
  expect(await seen()).toBeUndefined();
  await showWith("of the future");
  expect(await seen()).toBeUndefined();
  await showWith("custom", "public");
  expect(await seen()).toBeUndefined();
  await showWith("custom");
  expect(await seen()).toEqual({ backend: "custom" });
  await receive("s4b", shown("unlisted"));
  expect(await seen()).toBeUndefined();
  await receive("s4b", []);
  expect(await seen()).toEqual({ backend: "custom" });
  await showWith("custom", "visitor-auth", false);
  expect(await seen()).toBeUndefined();
});

test("GET /spaces/{spaceId}?shareKey repeats the key of a site that shows the space in its address, and opens nothing", async () => {
  const space = await create();
  const key = "0123456789abcdef0123456789ABCDEF01234567";
  const showWithKeys = (keys: string[], published = true) =>
    transact(t.ctx, (ctx) =>
      listeners[0]!.handle({
        ctx,
        payload: {
          site: "k1",
          organization: "acme",
          published,
          shareLinks: { root: "http://sites.test/k1/", keys },
          spaces: [{ space, visibility: "share-link", url: "http://sites.test/k1/guide/" }],
        },
        event: { id: "e", name: SiteAudience.name, aggregate: "k1", occurredAt: new Date().toISOString() },
      }),
    );
  const seen = async (shareKey: string) => (await admin().spaces.get({ spaceId: space, shareKey })).urls;
  await showWithKeys([hashOfShareKey(key)!]);
  const { urls: plain } = await admin().spaces.get({ spaceId: space });
  expect(plain.published).toBe("http://sites.test/k1/guide/");
  expect(await seen(key)).toEqual({
    ...plain,
    published: `http://sites.test/k1/${key.toLowerCase()}/guide/`,
  });
  for (const other of ["", "unknown", key.replace("0", "1"), "../../x"])
    expect(await seen(other)).toEqual(plain);
  const { id: elsewhere } = await admin().spaces.create({ organizationId: "acme" });
  expect((await admin().spaces.get({ spaceId: elsewhere, shareKey: key })).urls.published).toBeUndefined();
  await expect(t.as({ beta: "admin" }).spaces.get({ spaceId: space, shareKey: key })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await showWithKeys([]);
  expect(await seen(key)).toEqual(plain);
  await showWithKeys([hashOfShareKey(key)!], false);
  expect((await seen(key)).published).toBeUndefined();
});

test("a space in the trash is settled when it comes back", async () => {
  const space = await create();
  await receive("s5", [{ space, visibility: "public", url: "http://sites.test/five" }]);
  await admin().spaces.remove({ spaceId: space });
  await receive("s5", []);
  expect(await changes(space)).toEqual(["private > public"]);
  expect(await admin().spaces.restore({ spaceId: space })).toMatchObject({ visibility: "private" });
  expect(await changes(space)).toEqual(["private > public", "public > private"]);
});

test("two sites that show a space at one time end with the more open of them", async () => {
  for (let round = 0; round < 5; round++) {
    const space = await create();
    await Promise.all([
      receive(`a${round}`, [{ space, visibility: "public", url: "http://sites.test/a" }]),
      receive(`b${round}`, [{ space, visibility: "unlisted", url: "http://sites.test/b" }]),
    ]);
    expect(await admin().spaces.get({ spaceId: space })).toMatchObject({ visibility: "public" });
  }
});

test("a site of the old organization shows a transferred space to nobody, also when its event is late", async () => {
  const both = t.as({ acme: "admin", beta: "admin" });
  const { id: parent } = await both.collections.create({ organizationId: "acme", title: "Team" });
  const alone = await create();
  const nested = await create(parent);
  const shown = [alone, nested].map((space) => ({
    space,
    visibility: "public",
    url: "http://sites.test/six",
  }));
  await receive("s6", shown);
  await both.spaces.transfer({ spaceId: alone, organization: "beta" });
  await both.collections.transfer({ collectionId: parent, organization: "beta" });
  const seen = async () =>
    Promise.all([alone, nested].map(async (spaceId) => (await both.spaces.get({ spaceId })).visibility));
  expect(await seen()).toEqual(["private", "in-collection"]);
  await receive("s6", shown);
  expect(await seen()).toEqual(["private", "in-collection"]);
  await receive("s7", shown, true, "beta");
  await receive("s6", []);
  expect(await seen()).toEqual(["public", "public"]);
});

test("a space that is transferred while an event of its site arrives ends private", async () => {
  const both = t.as({ acme: "admin", beta: "admin" });
  for (let round = 0; round < 5; round++) {
    const space = await create();
    const shown = [{ space, visibility: "public", url: "http://sites.test/r" }];
    if (round % 2) await receive(`r${round}`, shown);
    await Promise.all([
      both.spaces.transfer({ spaceId: space, organization: "beta" }),
      receive(`r${round}`, shown),
    ]);
    expect(await both.spaces.get({ spaceId: space })).toMatchObject({ visibility: "private" });
  }
});
