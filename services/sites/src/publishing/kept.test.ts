import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { newId } from "@octavo/shared/ids";
import { senderTo } from "@octavo/shared/testing/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultCustomization } from "../customization/defaults.js";
import { router } from "../router.js";
import { testSites } from "../testing/sites.js";

// The profile of a site is written once for visitors to whom it is the same.

let service: Awaited<ReturnType<typeof testSites>>;
let address: string;
beforeAll(async () => {
  service = await testSites();
  address = await service.serve(router);
});
afterAll(() => service.end());

async function visitedSite() {
  const api = await service.as({ acme: "create" });
  const spaces = ["Guide", "Reference"].map((title) =>
    service.content.space({ organization: "acme", title }),
  );
  const { id: siteId } = await api.sites.create({
    organizationId: "acme",
    spaces: spaces.map(({ id }) => id),
  });
  const one = { organizationId: "acme", siteId };
  await api.publishing.publish(one);
  const visitor = (over: Partial<ReaderCaller> = {}): ReaderCaller => ({
    kind: "reader",
    organization: "acme",
    site: siteId,
    epoch: 0,
    space: spaces[0]!.id,
    revision: spaces[0]!.id,
    token: newId(),
    ...over,
  });
  const path = `/v1/orgs/acme/sites/${siteId}/published`;
  const send = (caller = visitor(), headers: Record<string, string> = {}, query = "") =>
    senderTo(address, () => service.sign(caller))("GET", path + query, undefined, headers);
  return { api, one, spaces, visitor, send };
}

/** How many lookups of spaces something takes. */
async function lookups(work: () => Promise<unknown>) {
  const before = service.content.asked.length;
  await work();
  return service.content.asked.length - before;
}

test("visitors are sent the profile that was written before, and any change to the site or its spaces at once", async () => {
  const { api, one, spaces, visitor, send } = await visitedSite();
  const first = await send();
  expect([first.status, first.body.structure.structure.length]).toEqual([200, 2]);
  expect(await lookups(async () => expect((await send()).body).toEqual(first.body))).toBe(0);
  const { items } = await api.siteSpaces.list(one);
  const changes: Record<string, () => unknown> = {
    "a title of a space": () => Object.assign(spaces[1]!, { title: "Renamed" }),
    "a revision": () => Object.assign(spaces[1]!, { revision: newId() }),
    "a path": () => api.siteSpaces.update({ ...one, siteSpaceId: items[1]!.id, path: "elsewhere" }),
    "a look": () => api.customization.update({ ...one, ...defaultCustomization("New look") }),
    "a title of the site": () => api.sites.update({ ...one, title: "Renamed" }),
    "a space less": () => api.siteSpaces.remove({ ...one, siteSpaceId: items[1]!.id }),
  };
  let last = first.body;
  for (const [what, change] of Object.entries(changes)) {
    await change();
    const { body } = await send();
    expect(body, what).not.toEqual(last);
    const made = await service.call(visitor(), { identity: await service.sign(visitor()) });
    expect(await made.publishing.getPublished(one), what).toEqual(body);
    last = body;
  }
});

test("whoever has the profile is told that it has not changed", async () => {
  const { api, one, send } = await visitedSite();
  const first = await send();
  const etag = first.headers.get("etag")!;
  expect([first.headers.get("cache-control"), first.headers.get("vary")]).toEqual([
    "private, no-cache",
    "authorization",
  ]);
  const again = await send(undefined, { "if-none-match": etag });
  expect([again.status, again.body]).toEqual([304, undefined]);
  await api.sites.update({ ...one, title: "Renamed" });
  const renamed = await send(undefined, { "if-none-match": etag });
  expect([renamed.status, renamed.body.site.title]).toEqual([200, "Renamed"]);
});

test("what decides what a visitor sees keeps profiles apart, and no profile is sent to whom the site refuses", async () => {
  const { api, one, visitor, send } = await visitedSite();
  await send();
  const others = [
    visitor({ claims: { beta: true } }),
    visitor({ space: newId() }),
    visitor({ revision: newId() }),
    visitor({ epoch: 1 }),
    visitor({ editLink: true }),
  ];
  for (const other of others) {
    expect(await lookups(() => send(other))).toBe(1);
    expect(await lookups(() => send(other))).toBe(0);
  }
  const link = await api.shareLinks.create({ ...one, name: "Press" });
  const { body } = await send(
    undefined,
    {},
    `?shareKey=${new URL(link.urls.published!).pathname.split("/")[3]}`,
  );
  expect(body.site.urls.published).toBe(link.urls.published);
  expect((await send()).body.site.urls.published).not.toBe(link.urls.published);
  expect((await send(visitor({ site: newId("site") }))).status).toBe(404);
  const narrower = { ...one, visibility: "visitor-auth" as const };
  await api.sites.update(narrower);
  expect((await send()).status).toBe(401);
  await api.publishing.unpublish(one);
  expect([404, 401]).toContain((await send()).status);
});

test("visitors who come at once share what is read after the last of them came", async () => {
  const { send, spaces } = await visitedSite();
  await send();
  const titles = (responses: Awaited<ReturnType<typeof send>>[]) =>
    responses.map(({ body }) => body.structure.structure[1].title);
  const came = Array.from({ length: 10 }, () => send());
  spaces[1]!.title = "Renamed";
  const later = Array.from({ length: 10 }, () => send());
  expect(titles(await Promise.all(later))).toEqual(Array.from({ length: 10 }, () => "Renamed"));
  for (const title of titles(await Promise.all(came))) expect(["Reference", "Renamed"]).toContain(title);
  expect(await lookups(() => Promise.all(Array.from({ length: 10 }, () => send())))).toBe(0);
});
