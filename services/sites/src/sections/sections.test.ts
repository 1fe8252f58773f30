import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const space = (title: string, organization = "acme") => service.content.space({ organization, title });

async function siteWith(titles: string[]) {
  const api = await service.as({ acme: "create" });
  const spaces = titles.map((title) => space(title));
  const { id: siteId } = await api.sites.create({
    organizationId: "acme",
    title: "Docs",
    spaces: spaces.map(({ id }) => id),
  });
  const one = { organizationId: "acme", siteId };
  const add = (title: string, given: object = {}) =>
    api.sections.create({ ...one, spaceId: space(title).id, ...given });
  /** Title, path and whether it is the default, with the paths of its site spaces. */
  const outline = async () =>
    (await api.sections.list(one)).items.map((section) => [
      `${section.path}${section.default ? "!" : ""}`,
      ...section.siteSpaces.map((each) => `${each.path}${each.default ? "!" : ""}`),
    ]);
  const version = async () =>
    (await service.db.selectFrom("site").select("version").where("id", "=", siteId).executeTakeFirstOrThrow())
      .version;
  return { api, one, add, outline, spaces, version };
}

const former = async (site: string) =>
  (
    await service.db.selectFrom("former_path").selectAll().where("site", "=", site).orderBy("path").execute()
  ).map(({ path, section, site_space }) => [path, section ?? site_space]);

test("POST …/sections adds a section at the end, returns its Location, and puts the root's spaces into a default one", async () => {
  const { api, one, outline, version } = await siteWith(["Guide", "Version 2"]);
  await api.publishing.publish(one);
  const before = await version();
  const reply = { headers: {} as Record<string, string> };
  const caller = await service.as({ acme: "create" }, { reply });
  const spaceId = space("API").id;
  const section = await caller.sections.create({ ...one, spaceId, icon: "gear" });
  const base = `http://octavo.test/sites/${one.siteId}`;
  expect(section).toMatchObject({
    object: "site-section",
    id: expect.stringMatching(/^sitesc_[0-9A-Za-z]{22}$/),
    title: "API",
    icon: "gear",
    path: "api",
    default: false,
    siteSpaces: [{ section: section.id, default: true, space: { id: spaceId } }],
    urls: { published: `${base}/api/` },
  });
  expect(reply.headers.location).toBe(
    `http://octavo.test/v1/orgs/acme/sites/${one.siteId}/sections/${section.id}`,
  );
  expect(await outline()).toEqual([
    ["docs!", "guide!", "version-2"],
    ["api", "api!"],
  ]);
  const { items } = await api.siteSpaces.list(one);
  expect(items.map(({ urls }) => urls.published)).toEqual([
    `${base}/`,
    `${base}/docs/version-2/`,
    `${base}/api/`,
  ]);
  expect(await former(one.siteId)).toEqual([["version-2", items[1]!.id]]);
  expect(await version()).toBe(before + 1);
  const audience = (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).at(-1)!;
  expect(audience.spaces.map(({ url }) => url)).toEqual(items.map(({ urls }) => urls.published));
});

test("POST …/sections on a site without spaces makes the default section, titled like its space", async () => {
  const { add, outline } = await siteWith([]);
  expect(await add("Guide", { title: null, icon: null })).toMatchObject({
    title: "Guide",
    default: true,
    siteSpaces: [{ default: true }],
    urls: {},
  });
  expect(await add("Guide", { title: "Guide" })).toMatchObject({ path: "guide-1", default: false });
  expect(await outline()).toEqual([
    ["guide!", "guide!"],
    ["guide-1", "guide!"],
  ]);
});

test("POST …/sections is refused without a trace", async () => {
  const { api, one, spaces, outline } = await siteWith(["Guide"]);
  const guarded = service.content.space({ organization: "acme", level: "review" });
  const refused = (input: object, caller = api) =>
    caller.sections.create({ ...one, spaceId: space("Free").id, ...input } as never);
  await expect(refused({ spaceId: spaces[0]!.id })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "Space: is on the site already",
  });
  await expect(refused({ spaceId: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(refused({ spaceId: space("Foreign", "beta").id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(refused({ spaceId: guarded.id })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(refused({ siteId: "site_x" })).rejects.toMatchObject({ message: "Site: not found" });
  for (const bad of [{ title: "x" }, { title: "x".repeat(129) }, { icon: "No Icon" }, { spaceId: 7 }])
    await expect(refused(bad), JSON.stringify(bad)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(refused({}, await service.as({ acme: "review" }))).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await expect(refused({}, await service.as({ beta: "admin" }))).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await outline()).toEqual([]);
});

test("a first section takes the right over each space that it gives another address, and those after it do not", async () => {
  const { api, one } = await siteWith(["Open", "Closed"]);
  const { items } = await api.siteSpaces.list(one);
  const closed = service.content.spaces.get(items[1]!.space.id)!;
  closed.level = "read";
  const first = { ...one, spaceId: space("First").id };
  await expect(api.sections.create(first)).rejects.toMatchObject({
    details: { reason: "spaces_not_yours_to_show" },
  });
  closed.level = undefined;
  await api.sections.create(first);
  closed.level = "read";
  await api.sections.create({ ...one, spaceId: space("Second").id });
});

test("PATCH …/sections/{siteSectionId} changes what it names and nothing else, and removes by null", async () => {
  const { api, add, one } = await siteWith(["Guide"]);
  const { id: siteSectionId } = await add("API");
  const section = { ...one, siteSectionId };
  const changed = await api.sections.update({
    ...section,
    title: "Reference",
    path: "Reference",
    icon: "code",
    description: "All of it",
    condition: "visitor.claims.plan == 'pro'",
  });
  expect(changed).toMatchObject({
    title: "Reference",
    path: "Reference",
    icon: "code",
    description: "All of it",
    condition: "visitor.claims.plan == 'pro'",
  });
  expect(await api.sections.update(section)).toEqual(changed);
  const { icon, description, condition, ...rest } = changed;
  expect(await api.sections.update({ ...section, icon: null, description: null, condition: null })).toEqual(
    rest,
  );
  expect(await former(one.siteId)).toEqual([["api", siteSectionId]]);
});

test("PATCH …/sections/{siteSectionId} gives the section another default, and only one of its own", async () => {
  const { api, add, one, outline } = await siteWith(["Guide"]);
  const section = await add("API");
  const added = await api.siteSpaces.add({ ...one, spaceId: space("Events").id, sectionId: section.id });
  expect(added).toMatchObject({ section: section.id, path: "events", default: false });
  await api.sections.update({ ...one, siteSectionId: section.id, defaultSiteSpace: added.id });
  expect(await outline()).toEqual([
    ["docs!", "guide!"],
    ["api", "api", "events!"],
  ]);
  const foreign = (await api.siteSpaces.list(one)).items[0]!.id;
  for (const defaultSiteSpace of [foreign, "nope"]) {
    const update = api.sections.update({
      ...one,
      siteSectionId: section.id,
      title: "Half",
      defaultSiteSpace,
    });
    await expect(update).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: "body.defaultSiteSpace: is no site space of this section",
    });
  }
});

test("PATCH …/sections/{siteSectionId} is 409 for a path that another section has, in any case", async () => {
  const { api, add, one } = await siteWith(["Guide"]);
  const { id: siteSectionId } = await add("API");
  const update = api.sections.update({ ...one, siteSectionId, path: "DOCS" });
  await expect(update).rejects.toMatchObject({
    code: "CONFLICT",
    message: "body.path: is taken by another section",
  });
  expect(await api.sections.update({ ...one, siteSectionId, path: "API" })).toMatchObject({ path: "API" });
});

test("PATCH …/sections/{siteSectionId} refuses bad input and names the place in an expression", async () => {
  const { api, add, one } = await siteWith(["Guide"]);
  const section = { ...one, siteSectionId: (await add("API")).id };
  for (const bad of [
    { title: "x" },
    { title: null },
    { path: "" },
    { path: "a/b" },
    { path: ".." },
    { path: "~api" },
    { path: "x".repeat(101) },
    { icon: "" },
    { description: "x".repeat(257) },
    { condition: "" },
    { condition: "visitor.claims." },
    { condition: `'${"x".repeat(1023)}'` },
    { defaultSiteSpace: null },
  ]) {
    const update = api.sections.update({ ...section, ...bad } as never);
    await expect(update, JSON.stringify(bad)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  const unknown = api.sections.update({ ...section, siteSectionId: "sitesc_x", title: "None" });
  await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND", message: "Section: not found" });
});

test("what is shown on a condition is published as open to identified visitors only", async () => {
  const { api, add, one } = await siteWith(["Guide"]);
  const { id: siteSectionId } = await add("API");
  await api.publishing.publish(one);
  const visibilities = async () =>
    (await service.emitted(SiteAudience))
      .filter(({ site }) => site === one.siteId)
      .at(-1)!
      .spaces.map(({ visibility }) => visibility);
  expect(await visibilities()).toEqual(["public", "public"]);
  await api.sections.update({ ...one, siteSectionId, condition: "visitor.claims.beta" });
  expect(await visibilities()).toEqual(["public", "visitor-auth"]);
  await api.sections.update({ ...one, siteSectionId, condition: null });
  expect(await visibilities()).toEqual(["public", "public"]);
});

test("DELETE …/sections/{siteSectionId} takes its spaces off the site, and the next section becomes the default", async () => {
  const { api, add, one, outline } = await siteWith(["Guide"]);
  for (const title of ["Aa", "Bb"]) await add(title);
  const [docs] = (await api.sections.list(one)).items;
  expect(await api.sections.remove({ ...one, siteSectionId: docs!.id })).toBeUndefined();
  expect(await api.sections.remove({ ...one, siteSectionId: docs!.id })).toBeUndefined();
  expect(await outline()).toEqual([
    ["aa!", "aa!"],
    ["bb", "bb!"],
  ]);
  expect((await api.sites.get(one)).siteSpaces).toBe(2);
});

test("DELETE …/sections/{siteSectionId} of the last one returns its site spaces to the root", async () => {
  const { api, add, one, outline } = await siteWith([]);
  const section = await add("Guide");
  const second = await api.siteSpaces.add({ ...one, spaceId: space("Version 2").id });
  expect(second.section).toBe(section.id);
  await api.sections.remove({ ...one, siteSectionId: section.id });
  expect(await outline()).toEqual([]);
  const { items } = await api.siteSpaces.list(one);
  expect(items.map(({ path, default: first, section }) => [path, first, section])).toEqual([
    ["guide", true, undefined],
    ["version-2", false, undefined],
  ]);
});

test("DELETE …/sections/{siteSectionId} that ends a condition takes the right over each space", async () => {
  const { api, add, one } = await siteWith([]);
  const { id: siteSectionId } = await add("Guide", {});
  await api.sections.update({ ...one, siteSectionId, condition: "visitor.claims.beta" });
  const { items } = await api.siteSpaces.list(one);
  const shown = service.content.spaces.get(items[0]!.space.id)!;
  shown.level = "read";
  const removal = api.sections.remove({ ...one, siteSectionId });
  await expect(removal).rejects.toMatchObject({ details: { reason: "spaces_not_yours_to_show" } });
  shown.level = undefined;
  await api.sections.remove({ ...one, siteSectionId });
});

test("POST …/sections/{siteSectionId}/move puts it before or after another one, to the end without a position", async () => {
  const { api, add, one } = await siteWith([]);
  const [a, b, c] = [await add("Aa"), await add("Bb"), await add("Cc")];
  const titles = async () => (await api.sections.list(one)).items.map(({ title }) => title);
  const move = (siteSectionId: string, position?: object) =>
    api.sections.move({ ...one, siteSectionId, position } as never);
  const at = (section: { id: string }) => ({ type: "site-section", siteSection: section.id });
  expect(await move(c.id, { before: at(a) })).toMatchObject({ id: c.id, title: "Cc" });
  expect(await titles()).toEqual(["Cc", "Aa", "Bb"]);
  await move(c.id, { after: at(a) });
  expect(await titles()).toEqual(["Aa", "Cc", "Bb"]);
  await move(a.id);
  expect(await titles()).toEqual(["Cc", "Bb", "Aa"]);
  await move(b.id, {});
  expect(await titles()).toEqual(["Cc", "Aa", "Bb"]);
  for (const position of [
    { before: at({ id: "nope" }) },
    { before: at(a) },
    { before: at(b), after: at(c) },
    { after: { type: "site-space", siteSpace: "x" } },
  ])
    await expect(move(a.id, position), JSON.stringify(position)).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  await expect(move("nope")).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await titles()).toEqual(["Cc", "Aa", "Bb"]);
});

test("GET …/sections leaves out, and does not count, those in which the caller may read nothing", async () => {
  const { api, add, one } = await siteWith([]);
  for (const title of ["Aa", "Bb", "Cc"]) await add(title);
  const { items } = await api.sections.list(one);
  service.content.spaces.get(items[1]!.siteSpaces[0]!.space.id)!.level = null;
  const reader = await service.as({ acme: "read" });
  const before = service.content.asked.length;
  const first = await reader.sections.list({ ...one, limit: 1, shareKey: "unknown" });
  expect(service.content.asked.length - before).toBe(1);
  expect(first).toMatchObject({ count: 2, items: [{ title: "Aa" }] });
  const second = await reader.sections.list({ ...one, limit: 1, page: first.next!.page });
  expect(second).toMatchObject({ count: 2, items: [{ title: "Cc" }] });
  expect(second.next).toBeUndefined();
});

test("sections are 404 for strangers, 403 for guests, and changed by whoever may create alone", async () => {
  const { add, one } = await siteWith(["Guide"]);
  const section = { ...one, siteSectionId: (await add("API")).id };
  for (const [roles, code] of [
    [{ acme: null }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
    [{ acme: "review" }, "FORBIDDEN"],
  ] as const) {
    const caller = await service.as(roles);
    if (!("acme" in roles) || roles.acme === null)
      await expect(caller.sections.list(one)).rejects.toMatchObject({ code });
    await expect(caller.sections.update({ ...section, title: "Mine" })).rejects.toMatchObject({ code });
    await expect(caller.sections.remove(section)).rejects.toMatchObject({ code });
    await expect(caller.sections.move(section)).rejects.toMatchObject({ code });
  }
});
