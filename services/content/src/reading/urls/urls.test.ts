import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" }, { id: "ada" });
const stranger = t.as({ beta: "admin" }, { id: "bob" });
const missing = { code: "NOT_FOUND", message: "Space: not found" };

let spaceId: string;
let changeRequestId: string;
let number: number;
let first: string;

const at = (url: string, caller = admin) => caller.urls.getContent({ url });
const app = (path: string) => `http://app.test/${path}`;

beforeAll(async () => {
  spaceId = await t.space();
  const { id } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId: id,
    changes: [
      { operation: "insert_page", ref: "a", title: "Guide", document: { markdown: "Start.\n" } },
      { operation: "insert_page", into: "a", title: "Set up", document: { markdown: "Install.\n" } },
    ],
  });
  first = (await admin.changeRequests.merge({ spaceId, changeRequestId: id })).revision;
  ({ id: changeRequestId, number } = await admin.changeRequests.create({ spaceId }));
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "insert_page", title: "Proposed", document: { markdown: "Soon.\n" } }],
  });
});

/** A site's own word on where it shows the space. */
async function show(url: string, visibility: string, space = spaceId, site = newId("site")) {
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch: 0,
    spaces: [{ space, visibility, url }],
  });
  return async () =>
    deliver(t.ctx, listeners, SiteAudience, site, {
      site,
      organization: "acme",
      published: false,
      epoch: 0,
      spaces: [],
    });
}

test("GET urls/content finds what `urls.app` of each thing leads to", async () => {
  const space = await admin.spaces.get({ spaceId });
  expect(await at(space.urls.app)).toEqual({ space });
  const { pages } = await admin.content.pages({ spaceId });
  const [guide] = pages as { id: string; urls: { app: string } }[];
  const page = await admin.content.page({ spaceId, pageId: guide!.id });
  expect(await at(guide!.urls.app)).toEqual({ space, page });
  const changeRequest = await admin.changeRequests.get({ spaceId, changeRequestId });
  expect(await at(changeRequest.urls.app)).toEqual({ space, changeRequest });
  const { urls } = await admin.revisionContent.revision({ spaceId, revisionId: first });
  expect(await at(urls.app)).toEqual({ space });
  const collection = await admin.collections.create({ organizationId: "acme", title: "Manuals" });
  expect(await at(`${collection.urls.app}/?tab=all#top`)).toEqual({ collection });
});

test("GET urls/content finds pages by their path, in change requests and revisions as well", async () => {
  const found = {
    page: { title: "Set up", path: "guide/set-up", markdown: expect.stringContaining("Install.") },
  };
  expect(await at(app(`s/${spaceId}/guide/set-up`))).toMatchObject(found);
  expect(await at(app(`s/${spaceId}/revisions/${first}/guide/set-up/`))).toMatchObject(found);
  for (const name of [number, changeRequestId])
    expect(await at(app(`s/${spaceId}/change-requests/${name}/proposed`))).toMatchObject({
      changeRequest: { id: changeRequestId },
      page: { title: "Proposed" },
    });
  await expect(at(app(`s/${spaceId}/proposed`))).rejects.toMatchObject({ message: "Page: not found" });
});

test("GET urls/content finds a space at the longest address where a site shows it, whatever the case", async () => {
  const other = await t.space();
  const hide = await show("http://sites.test/Manual/", "public");
  await show("http://sites.test/Manual/guide/inner/", "unlisted", other);
  const published = { space: { id: spaceId, urls: { published: "http://sites.test/Manual/" } } };
  expect(await at("http://sites.test/manual", stranger)).toMatchObject(published);
  expect(await at("http://sites.test/MANUAL/guide/set-up?q=1#a", stranger)).toMatchObject({
    ...published,
    page: { title: "Set up" },
  });
  expect(await at("http://sites.test/manual/guide/inner")).toMatchObject({ space: { id: other } });
  // What is proposed is no visitor's.
  await expect(at(app(`s/${spaceId}/change-requests/${number}`), stranger)).rejects.toMatchObject(missing);
  await hide();
  for (const caller of [admin, stranger])
    await expect(at("http://sites.test/manual", caller)).rejects.toMatchObject(missing);
});

test("GET urls/content returns the same for what is hidden and for what never existed", async () => {
  const shown = await t.space();
  await show("http://sites.test/inside/", "visitor-auth", shown);
  const gone = await t.space();
  await show("http://sites.test/gone/", "public", gone);
  await admin.spaces.remove({ spaceId: gone });
  const collection = await admin.collections.create({ organizationId: "acme", title: "Secret" });
  const hidden = [
    app(`s/${spaceId}`),
    app(`s/${spaceId}/guide`),
    app(`s/${spaceId}/change-requests/${number}`),
  ];
  for (const url of [
    ...hidden,
    app(`s/${spaceId}/revisions/${first}`),
    "http://sites.test/inside/",
    "http://sites.test/gone/",
    app("s/unknown"),
    app("s/unknown/guide"),
    app("s/unknown/change-requests/1"),
    "http://nowhere.example/",
    app("o/acme"),
    app(""),
    app(`s/${spaceId}x`),
    `${app("s")}/`,
    "http://app.test.evil.example/s/x",
  ])
    await expect(at(url, stranger), url).rejects.toMatchObject(missing);
  for (const id of [collection.id, "unknown"])
    await expect(at(app(`c/${id}`), stranger)).rejects.toMatchObject({ message: "Collection: not found" });
  expect(await at("http://sites.test/inside/")).toMatchObject({ space: { id: shown } });
  await expect(at(app(`s/${gone}`))).rejects.toMatchObject(missing);
});

test("GET urls/content refuses what is no address, or has a path that cannot be", async () => {
  for (const url of [
    "",
    "nowhere",
    "ftp://app.test/",
    "http://a/%FF",
    "http://a/%00",
    `http://a/${"x".repeat(2048)}`,
  ])
    await expect(at(url), url).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const deep = `http://sites.test/${"a/".repeat(1000)}`;
  await expect(at(deep)).rejects.toMatchObject(missing);
});
