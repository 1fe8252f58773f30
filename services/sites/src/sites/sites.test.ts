import { SiteAudience, SiteDeleted } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const count = async () =>
  Number(
    (
      await service.db
        .selectFrom("site")
        .select(({ fn }) => fn.countAll().as("n"))
        .executeTakeFirstOrThrow()
    ).n,
  );

test("POST /orgs/{organizationId}/sites makes an unpublished site, with no body at all", async () => {
  const api = await service.as({ acme: "create" });
  const site = await api.sites.create({ organizationId: "acme" });
  expect(site).toEqual({
    object: "site",
    id: expect.stringMatching(/^site_[0-9A-Za-z]{22}$/),
    type: "basic",
    title: "Docs",
    visibility: "public",
    published: false,
    siteSpaces: 0,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    adaptiveContent: { enabled: false },
    agentsContext: "excluded",
    features: [],
    ads: { status: "pending", submittable: false },
    urls: {
      location: `http://octavo.test/v1/orgs/acme/sites/${site.id}`,
      app: `http://octavo.test/app/o/acme/sites/${site.id}`,
    },
  });
  expect(await api.sites.get({ organizationId: "acme", siteId: site.id })).toEqual(site);
});

test("POST /orgs/{organizationId}/sites shows the given spaces in their order, looked up in one call", async () => {
  const spaces = ["Guide", "Guide", "Über uns"].map((title) =>
    service.content.space({ organization: "acme", title }),
  );
  const before = service.content.asked.length;
  const api = await service.as({ acme: "create" });
  const site = await api.sites.create({
    organizationId: "acme",
    type: "premium",
    visibility: "unlisted",
    spaces: spaces.map(({ id }) => id),
  });
  expect(service.content.asked.slice(before)).toEqual([spaces.map(({ id }) => id)]);
  expect(site).toMatchObject({ title: "Guide", type: "premium", visibility: "unlisted", siteSpaces: 3 });
  const { items } = await api.siteSpaces.list({ organizationId: "acme", siteId: site.id });
  expect(items.map(({ path, default: first }) => [path, first])).toEqual([
    ["guide", true],
    ["guide-1", false],
    ["uber-uns", false],
  ]);
  const audiences = (await service.emitted(SiteAudience)).filter((event) => event.site === site.id);
  expect(audiences).toEqual([
    {
      site: site.id,
      organization: "acme",
      published: false,
      epoch: 0,
      spaces: [
        { space: spaces[0]!.id, visibility: "unlisted", url: `http://octavo.test/sites/${site.id}/` },
        { space: spaces[1]!.id, visibility: "unlisted", url: `http://octavo.test/sites/${site.id}/guide-1/` },
        {
          space: spaces[2]!.id,
          visibility: "unlisted",
          url: `http://octavo.test/sites/${site.id}/uber-uns/`,
        },
      ],
    },
  ]);
});

test("POST /orgs/{organizationId}/sites is refused without a trace: roles, unknown and foreign spaces, bad input", async () => {
  const foreign = service.content.space({ organization: "beta" });
  const guarded = service.content.space({ organization: "acme", level: "read" });
  const secret = service.content.space({ organization: "acme", level: null });
  const before = await count();
  const create = async (role: "create" | "review" | null | undefined, input: object) => {
    const api = await service.as(role === undefined ? { beta: "admin" } : { acme: role, beta: "admin" });
    return api.sites.create({ organizationId: "acme", ...input } as never);
  };
  await expect(create(undefined, {})).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(create(null, {})).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(create("review", {})).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(create("create", { spaces: ["nope"] })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(create("create", { spaces: [foreign.id] })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(create("create", { spaces: [secret.id] })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(create("create", { spaces: [guarded.id] })).rejects.toMatchObject({ code: "FORBIDDEN" });
  for (const bad of [
    { title: "x" },
    { title: "x".repeat(129) },
    { type: "gold" },
    { visibility: "private" },
    { spaces: "full" },
    { spaces: ["a", "a"] },
    { spaces: [7] },
  ]) {
    await expect(create("create", bad), JSON.stringify(bad)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  expect(await count()).toBe(before);
});

test("GET /orgs/{organizationId}/sites filters by space, title, publication and type, page by page", async () => {
  const api = await service.as({ lists: "create" });
  const space = service.content.space({ organization: "lists" });
  const titles = ["100% sure", "Alpha_1", "Alpha 2", "beta"];
  const made = [];
  for (const title of titles) {
    const type = title.startsWith("A") ? "ultimate" : "basic";
    made.push(
      await api.sites.create({
        organizationId: "lists",
        title,
        type,
        spaces: title === "beta" ? [space.id] : [],
      }),
    );
  }
  await api.publishing.publish({ organizationId: "lists", siteId: made[3]!.id });
  const titlesOf = async (filter: object) =>
    (await api.sites.list({ organizationId: "lists", ...filter })).items.map(({ title }) => title);

  expect(await titlesOf({})).toEqual(titles);
  expect(await titlesOf({ title: "alpha" })).toEqual(["Alpha_1", "Alpha 2"]);
  expect(await titlesOf({ title: "A_1" })).toEqual(["Alpha_1"]);
  expect(await titlesOf({ title: "%" })).toEqual(["100% sure"]);
  expect(await titlesOf({ space: space.id })).toEqual(["beta"]);
  expect(await titlesOf({ published: true })).toEqual(["beta"]);
  expect(await titlesOf({ published: false, type: ["ultimate"] })).toEqual(["Alpha_1", "Alpha 2"]);
  expect(await titlesOf({ type: ["basic", "premium"] })).toEqual(["100% sure", "beta"]);

  const first = await api.sites.list({ organizationId: "lists", limit: 3 });
  expect(first).toMatchObject({ count: 4, items: [{}, {}, {}] });
  const second = await api.sites.list({ organizationId: "lists", limit: 3, page: first.next!.page });
  expect(second).toMatchObject({ count: 4, items: [{ title: "beta" }] });
  expect(second.next).toBeUndefined();
  expect(await api.sites.list({ organizationId: "lists", limit: 0 })).toEqual({ items: [], count: 4 });
});

test("GET /orgs/{organizationId}/sites is 404 for a stranger, 403 for a guest, 400 for bad queries", async () => {
  await expect((await service.as()).sites.list({ organizationId: "acme" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const guest = await service.as({ acme: null });
  await expect(guest.sites.list({ organizationId: "acme" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  const reader = await service.as({ acme: "read" });
  for (const bad of [
    { limit: 1001 },
    { limit: -1 },
    { page: "x" },
    { type: ["gold"] },
    { published: "no" },
  ]) {
    const listed = reader.sites.list({ organizationId: "acme", ...bad } as never);
    await expect(listed, JSON.stringify(bad)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
});

test("GET /orgs/{organizationId}/sites/{siteId} of another organization, and by a stranger, is 404", async () => {
  const { id: siteId } = await (await service.as({ acme: "create" })).sites.create({
    organizationId: "acme",
  });
  const both = await service.as({ acme: "read", beta: "admin" });
  expect((await both.sites.get({ organizationId: "acme", siteId })).id).toBe(siteId);
  await expect(both.sites.get({ organizationId: "beta", siteId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(both.sites.get({ organizationId: "acme", siteId: "site_x" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const stranger = await service.as({ beta: "admin" });
  await expect(stranger.sites.get({ organizationId: "acme", siteId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("PATCH /orgs/{organizationId}/sites/{siteId} changes what it names and nothing else", async () => {
  const api = await service.as({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme", title: "Old" });
  const one = { organizationId: "acme", siteId };
  const changed = await api.sites.update({
    ...one,
    title: "New",
    visibility: "share-link",
    basename: "acme-docs",
    adaptiveContent: { enabled: true },
    agentsContext: "included",
    proxy: "example.com/docs",
  });
  expect(changed).toMatchObject({
    title: "New",
    visibility: "share-link",
    basename: "acme-docs",
    adaptiveContent: { enabled: true },
    agentsContext: "included",
    proxy: { origin: "example.com/docs", target: `http://octavo.test/sites/${siteId}/` },
  });
  const kept = await api.sites.update({ ...one, proxy: null });
  const { proxy, ...rest } = changed;
  expect(kept).toEqual(rest);
  expect(await api.sites.update(one)).toEqual(rest);
  const audiences = (await service.emitted(SiteAudience)).filter(({ site }) => site === siteId);
  // With the foreign address, and without it again.
  expect(audiences).toHaveLength(2);
});

test("PATCH /orgs/{organizationId}/sites/{siteId} moves the root to another site space, and only to one of its own", async () => {
  const api = await service.as({ acme: "create" });
  const spaces = ["One", "Two"].map((title) => service.content.space({ organization: "acme", title }).id);
  const { id: siteId } = await api.sites.create({ organizationId: "acme", spaces });
  const other = await api.sites.create({ organizationId: "acme", spaces });
  const one = { organizationId: "acme", siteId };
  const second = (await api.siteSpaces.list({ ...one, default: false })).items[0]!;
  const foreign = (await api.siteSpaces.list({ organizationId: "acme", siteId: other.id })).items[0]!;
  await api.sites.update({ ...one, defaultSiteSpace: second.id });
  expect((await api.siteSpaces.list({ ...one, default: true })).items.map(({ id }) => id)).toEqual([
    second.id,
  ]);
  const audience = (await service.emitted(SiteAudience)).filter(({ site }) => site === siteId).at(-1)!;
  expect(audience.spaces.map(({ url }) => url)).toEqual([
    `http://octavo.test/sites/${siteId}/one/`,
    `http://octavo.test/sites/${siteId}/`,
  ]);
  for (const bad of [
    { defaultSiteSpace: foreign.id },
    { defaultSiteSpace: "nope" },
    { defaultSiteSection: "sitesc_x" },
  ]) {
    const update = api.sites.update({ ...one, title: "Half written", ...bad });
    await expect(update).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  expect((await api.sites.get(one)).title).toBe("One");
});

test("PATCH /orgs/{organizationId}/sites/{siteId} chooses the default section, and in it the default site space", async () => {
  const api = await service.as({ acme: "create" });
  const space = (title: string) => service.content.space({ organization: "acme", title }).id;
  const { id: siteId } = await api.sites.create({ organizationId: "acme", spaces: [space("Guide")] });
  const one = { organizationId: "acme", siteId };
  const section = await api.sections.create({ ...one, spaceId: space("API") });
  const events = await api.siteSpaces.add({ ...one, spaceId: space("Events"), sectionId: section.id });
  const elsewhere = api.sites.update({ ...one, defaultSiteSpace: events.id });
  await expect(elsewhere).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: "body.defaultSiteSpace: is no site space of this default section",
  });
  await api.sites.update({ ...one, defaultSiteSection: section.id, defaultSiteSpace: events.id });
  const { items } = await api.sections.list(one);
  expect(
    items.map((each) => [each.path, each.default, each.siteSpaces.map(({ default: first }) => first)]),
  ).toEqual([
    ["guide", false, [true]],
    ["api", true, [false, true]],
  ]);
  const unknown = api.sites.update({ ...one, defaultSiteSection: "sitesc_x" });
  await expect(unknown).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("PATCH /orgs/{organizationId}/sites/{siteId} refuses a basename that is taken, in any case, with 409", async () => {
  const api = await service.as({ acme: "create", beta: "create" });
  const mine = await api.sites.create({ organizationId: "acme" });
  const theirs = await api.sites.create({ organizationId: "beta" });
  await api.sites.update({ organizationId: "acme", siteId: mine.id, basename: "handbook" });
  await api.sites.update({ organizationId: "acme", siteId: mine.id, basename: "handbook" });
  const taken = api.sites.update({ organizationId: "beta", siteId: theirs.id, basename: "HandBook" });
  await expect(taken).rejects.toMatchObject({ code: "CONFLICT" });
});

test("PATCH and DELETE /orgs/{organizationId}/sites/{siteId} are refused to readers, guests and strangers", async () => {
  const { id: siteId } = await (await service.as({ acme: "create" })).sites.create({
    organizationId: "acme",
  });
  const one = { organizationId: "acme", siteId };
  for (const [roles, code] of [
    [{ acme: "review" }, "FORBIDDEN"],
    [{ acme: null }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
  ] as const) {
    const api = await service.as(roles);
    await expect(api.sites.update({ ...one, title: "Mine" })).rejects.toMatchObject({ code });
    await expect(api.sites.remove(one)).rejects.toMatchObject({ code });
  }
  const reader = await service.as({ acme: "read" });
  expect((await reader.sites.get(one)).title).toBe("Docs");
});

test("PATCH /orgs/{organizationId}/sites/{siteId} refuses bad input", async () => {
  const api = await service.as({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme" });
  for (const bad of [
    { title: "" },
    { title: null },
    { visibility: "in-collection" },
    { basename: "" },
    { basename: "site_x" },
    { basename: "a/b" },
    { basename: "x".repeat(101) },
    { adaptiveContent: { enabled: "no" } },
    { agentsContext: "maybe" },
    { proxy: "https://example.com/docs" },
    { proxy: "example.com" },
    { proxy: "http://example.com/docs" },
    { proxy: "//example.com/docs" },
    { proxy: "example.com:8080/docs" },
    { proxy: "ada@example.com/docs" },
    { proxy: "example.com/docs?x=1" },
    { proxy: "example.com/../docs" },
    { proxy: `example.com/${"x".repeat(512)}` },
  ]) {
    const update = api.sites.update({ organizationId: "acme", siteId, ...bad } as never);
    await expect(update, JSON.stringify(bad)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
});

test("DELETE /orgs/{organizationId}/sites/{siteId} removes it for good, and succeeds again when it is gone", async () => {
  const api = await service.as({ acme: "create" });
  const space = service.content.space({ organization: "acme" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme", spaces: [space.id] });
  const one = { organizationId: "acme", siteId };
  expect(await api.sites.remove(one)).toBeUndefined();
  expect(await api.sites.remove(one)).toBeUndefined();
  await expect(api.sites.get(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const audience = (await service.emitted(SiteAudience)).filter(({ site }) => site === siteId).at(-1);
  expect(audience).toEqual({ site: siteId, organization: "acme", published: false, spaces: [] });
  expect((await service.emitted(SiteDeleted)).filter(({ site }) => site === siteId)).toHaveLength(1);
  expect(service.content.spaces.get(space.id)!.deleted).toBeUndefined();
});

test("sites.lookup returns the sites that the caller may see, and all of them to a service", async () => {
  const api = await service.as({ acme: "create", beta: "create" });
  const mine = await api.sites.create({ organizationId: "acme" });
  const theirs = await api.sites.create({ organizationId: "beta" });
  const ids = [mine.id, theirs.id, "site_x"];
  const idsFor = (sites: { id: string }[]) => sites.map(({ id }) => id);
  expect(idsFor(await (await service.as({ acme: "read", beta: null })).sites.lookup({ ids }))).toEqual([
    mine.id,
  ]);
  expect(idsFor(await (await service.asService("integrations")).sites.lookup({ ids }))).toEqual([
    mine.id,
    theirs.id,
  ]);
});
