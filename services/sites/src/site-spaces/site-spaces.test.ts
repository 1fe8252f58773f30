import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function siteWith(organization: string, titles: string[]) {
  const api = await service.as({ [organization]: "create" });
  const spaces = titles.map((title) => service.content.space({ organization, title }));
  const site = await api.sites.create({ organizationId: organization, spaces: spaces.map(({ id }) => id) });
  return { api, spaces, site, one: { organizationId: organization, siteId: site.id } };
}

test("POST …/site-spaces adds the space at the end and says where it is", async () => {
  const { api, one, site } = await siteWith("acme", ["Guide"]);
  await api.publishing.publish(one);
  const space = service.content.space({ organization: "acme", title: "Guide" });
  const reply = { headers: {} as Record<string, string> };
  const caller = await service.as({ acme: "create" }, { reply });
  const added = await caller.siteSpaces.add({ ...one, spaceId: space.id });
  expect(added).toMatchObject({
    object: "site-space",
    id: expect.stringMatching(/^sitesp_[0-9A-Za-z]{22}$/),
    path: "guide-1",
    title: "Guide",
    default: false,
    space: { object: "space", id: space.id },
    urls: { published: `http://octavo.test/sites/${site.id}/guide-1/` },
  });
  expect(reply.headers.location).toBe(
    `http://octavo.test/v1/orgs/acme/sites/${site.id}/site-spaces/${added.id}`,
  );
  expect((await api.sites.get(one)).siteSpaces).toBe(2);
  const told = (await service.emitted(SiteAudience)).at(-1)!;
  expect(told).toMatchObject({ site: site.id, published: true, spaces: [{}, { space: space.id }] });
});

test("POST …/site-spaces makes the first space of a site its default", async () => {
  const { api, one } = await siteWith("acme", []);
  const space = service.content.space({ organization: "acme" });
  expect(await api.siteSpaces.add({ ...one, spaceId: space.id })).toMatchObject({ default: true, urls: {} });
});

test("POST …/site-spaces cuts the path of a long title, and leaves room for a number", async () => {
  const { api, one } = await siteWith("acme", ["x".repeat(200), "x".repeat(200)]);
  const paths = (await api.siteSpaces.list(one)).items.map(({ path }) => path);
  expect(paths).toEqual(["x".repeat(90), `${"x".repeat(90)}-1`]);
});

test("POST …/site-spaces by many at once gives each a path and a place of its own", async () => {
  const { api, one } = await siteWith("acme", []);
  const spaces = Array.from({ length: 8 }, () =>
    service.content.space({ organization: "acme", title: "API" }),
  );
  await Promise.all(spaces.map(({ id }) => api.siteSpaces.add({ ...one, spaceId: id })));
  const { items, count } = await api.siteSpaces.list(one);
  expect(count).toBe(8);
  expect(items.map(({ path }) => path)).toEqual([
    "api",
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => `api-${number}`),
  ]);
  expect(items.filter((item) => item.default)).toHaveLength(1);
});

test("POST …/site-spaces is refused without a trace", async () => {
  const { api, one, spaces } = await siteWith("acme", ["Guide"]);
  const foreign = service.content.space({ organization: "beta" });
  const guarded = service.content.space({ organization: "acme", level: "review" });
  const free = service.content.space({ organization: "acme" });
  const both = await service.as({ acme: "create", beta: "admin" });
  const add = (caller: typeof api, input: object) => caller.siteSpaces.add({ ...one, ...input } as never);
  await expect(add(both, { spaceId: foreign.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "Space: not found",
  });
  await expect(add(api, { spaceId: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(add(api, { spaceId: guarded.id })).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "Space: needs the role create",
  });
  await expect(add(api, { spaceId: spaces[0]!.id })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "Space: is on the site already",
  });
  await expect(add(api, { spaceId: free.id, sectionId: "sitesc_x" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "Section: not found",
  });
  await expect(add(api, { spaceId: free.id, siteId: "site_x" })).rejects.toMatchObject({
    message: "Site: not found",
  });
  await expect(add(api, {})).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(add(await service.as({ acme: "review" }), { spaceId: free.id })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await expect(add(await service.as({ beta: "admin" }), { spaceId: free.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect((await api.siteSpaces.list(one)).count).toBe(1);
});

test("GET …/site-spaces pages in the order of the site and asks content once per page", async () => {
  const { api, one } = await siteWith("acme", ["A", "B", "C", "D", "E"]);
  const asked = service.content.asked.length;
  const first = await api.siteSpaces.list({ ...one, limit: 2 });
  expect(service.content.asked.length - asked).toBe(1);
  const second = await api.siteSpaces.list({ ...one, limit: 2, page: first.next!.page });
  const third = await api.siteSpaces.list({ ...one, limit: 2, page: second.next!.page });
  expect([first, second, third].flatMap(({ items }) => items.map(({ path }) => path))).toEqual([
    "a",
    "b",
    "c",
    "d",
    "e",
  ]);
  expect([first.count, second.count, third.count, third.next]).toEqual([5, 5, 5, undefined]);
  expect((await api.siteSpaces.list({ ...one, default: true })).items.map(({ path }) => path)).toEqual(["a"]);
  expect((await api.siteSpaces.list({ ...one, default: false })).count).toBe(4);
});

test("GET …/site-spaces leaves out, and does not count, what the caller may not read", async () => {
  const { api, one, spaces } = await siteWith("acme", ["Open", "Secret", "Gone"]);
  spaces[1]!.level = null;
  spaces[2]!.deleted = true;
  const reader = await service.as({ acme: "read" });
  const listed = await reader.siteSpaces.list(one);
  expect(listed).toMatchObject({ count: 1, items: [{ title: "Open" }] });
  expect((await (await service.as({ acme: "admin" })).siteSpaces.list(one)).count).toBe(2);
  expect((await api.sites.get(one)).siteSpaces).toBe(3);
});

test("GET …/site-spaces is 404 for a stranger and an unknown site, 403 for a guest, 400 for bad queries", async () => {
  const { api, one } = await siteWith("acme", ["Guide"]);
  await expect((await service.as({ beta: "admin" })).siteSpaces.list(one)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect((await service.as({ acme: null })).siteSpaces.list(one)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await expect(api.siteSpaces.list({ ...one, siteId: "site_x" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(api.siteSpaces.list({ ...one, page: "x" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(api.siteSpaces.list({ ...one, default: "yes" } as never)).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});
