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

test("POST …/site-spaces adds the space at the end and returns its Location", async () => {
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
  const audience = (await service.emitted(SiteAudience)).at(-1)!;
  expect(audience).toMatchObject({ site: site.id, published: true, spaces: [{}, { space: space.id }] });
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

test("GET …/site-spaces pages in the order of the site and calls content once per page", async () => {
  const { api, one } = await siteWith("acme", ["A", "B", "C", "D", "E"]);
  const before = service.content.asked.length;
  const first = await api.siteSpaces.list({ ...one, limit: 2 });
  expect(service.content.asked.length - before).toBe(1);
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

/** A site with a section of two variants beside the one that its first space lies in. */
async function sectioned() {
  const { api, one, spaces } = await siteWith("acme", ["Guide"]);
  const first = service.content.space({ organization: "acme", title: "API" });
  const section = await api.sections.create({ ...one, spaceId: first.id });
  const second = service.content.space({ organization: "acme", title: "Events" });
  const added = await api.siteSpaces.add({ ...one, spaceId: second.id, sectionId: section.id });
  const outline = async () =>
    (await api.siteSpaces.list(one)).items.map((item) => `${item.path}${item.default ? "!" : ""}`);
  return { api, one, spaces, section, added, outline };
}

test("POST …/site-spaces adds to the section that it names, else to the default one", async () => {
  const { api, one, section, added } = await sectioned();
  expect(added).toMatchObject({ section: section.id, path: "events", default: false });
  const space = service.content.space({ organization: "acme", title: "Events" });
  const other = await api.siteSpaces.add({ ...one, spaceId: space.id });
  expect(other.section).not.toBe(section.id);
  expect(other).toMatchObject({ path: "events", default: false });
  expect((await api.siteSpaces.list({ ...one, default: true })).items.map(({ path }) => path)).toEqual([
    "guide",
    "api",
  ]);
});

test("PATCH …/site-spaces/{siteSpaceId} changes path, condition and space, and nothing that it does not name", async () => {
  const { api, one, added } = await sectioned();
  const siteSpace = { ...one, siteSpaceId: added.id };
  const next = service.content.space({ organization: "acme", title: "Streams" });
  const condition = "visitor.claims.unsigned.lang == 'de'";
  const changed = await api.siteSpaces.update({ ...siteSpace, path: "streams", condition, spaceId: next.id });
  expect(changed).toMatchObject({ id: added.id, path: "streams", condition, title: "Streams" });
  expect(await api.siteSpaces.update(siteSpace)).toEqual(changed);
  const { condition: _, ...rest } = changed;
  expect(await api.siteSpaces.update({ ...siteSpace, condition: null })).toEqual(rest);
  const audience = (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).at(-1)!;
  expect(audience.spaces.map(({ space }) => space)).toContain(next.id);
  const former = service.db.selectFrom("former_path").selectAll().where("site", "=", one.siteId);
  expect(await former.execute()).toMatchObject([{ path: "api/events", site_space: added.id, section: null }]);
});

test("PATCH …/site-spaces/{siteSpaceId} is refused without a trace", async () => {
  const { api, one, spaces, added, outline } = await sectioned();
  const guarded = service.content.space({ organization: "acme", level: "review" });
  const update = (input: object, caller = api) =>
    caller.siteSpaces.update({ ...one, siteSpaceId: added.id, ...input } as never);
  await expect(update({ path: "API" })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "body.path: is taken by another site space",
  });
  await expect(update({ spaceId: spaces[0]!.id })).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(update({ spaceId: guarded.id })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(update({ spaceId: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const foreign = service.content.space({ organization: "beta" });
  const both = await service.as({ acme: "create", beta: "admin" });
  await expect(update({ spaceId: foreign.id }, both)).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "Space: not found",
  });
  await expect(update({ siteSpaceId: "sitesp_x" })).rejects.toMatchObject({
    message: "Site space: not found",
  });
  for (const bad of [{ path: "a b" }, { path: null }, { condition: "(" }, { condition: "x".repeat(1025) }])
    await expect(update(bad), JSON.stringify(bad)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(update({}, await service.as({ acme: "review" }))).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(update({}, await service.as({ beta: "admin" }))).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await outline()).toEqual(["guide!", "api!", "events"]);
});

test("PATCH …/site-spaces/{siteSpaceId} whose space the caller may not read is 404", async () => {
  const { one, added } = await sectioned();
  service.content.spaces.get(added.space.id)!.level = null;
  const member = await service.as({ acme: "create" });
  const siteSpace = { ...one, siteSpaceId: added.id };
  await expect(member.siteSpaces.update(siteSpace)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(member.siteSpaces.move(siteSpace)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("DELETE …/site-spaces/{siteSpaceId} of the last one of a section deletes the section, of the site it is 400", async () => {
  const { api, one, section, added, outline } = await sectioned();
  const [guide] = (await api.siteSpaces.list(one)).items;
  const remove = (siteSpaceId: string) => api.siteSpaces.remove({ ...one, siteSpaceId });
  expect(await remove(section.siteSpaces[0]!.id)).toBeUndefined();
  expect(await remove(section.siteSpaces[0]!.id)).toBeUndefined();
  expect(await outline()).toEqual(["guide!", "events!"]);
  await remove(guide!.id);
  expect((await api.sections.list(one)).items).toMatchObject([{ id: section.id, default: true }]);
  await expect(remove(added.id)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: { reason: "last_site_space" },
  });
  expect(await outline()).toEqual(["events!"]);
});

test("POST …/site-spaces/{siteSpaceId}/move stays among the variants of its section", async () => {
  const { api, one, section, added, outline } = await sectioned();
  const [guide] = (await api.siteSpaces.list(one)).items;
  const at = (siteSpace: string) => ({ type: "site-space" as const, siteSpace });
  const first = section.siteSpaces[0]!.id;
  const move = (position?: object) =>
    api.siteSpaces.move({ ...one, siteSpaceId: added.id, position } as never);
  expect(await move({ before: at(first) })).toMatchObject({ id: added.id });
  expect(await outline()).toEqual(["guide!", "events", "api!"]);
  await move();
  expect(await outline()).toEqual(["guide!", "api!", "events"]);
  for (const position of [{ before: at(guide!.id) }, { after: at(added.id) }, { after: at("nope") }])
    await expect(move(position), JSON.stringify(position)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      details: { reason: "invalid_position" },
    });
  const siteSpace = { ...one, siteSpaceId: "nope" };
  await expect(api.siteSpaces.move(siteSpace)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
