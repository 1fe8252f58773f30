import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

/** A site with these sections and no group. */
async function siteWith(titles: string[]) {
  const api = await service.as({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme", title: "Docs" });
  const one = { organizationId: "acme", siteId };
  const sections: string[] = [];
  for (const title of titles) {
    const spaceId = service.content.space({ organization: "acme", title }).id;
    sections.push((await api.sections.create({ ...one, spaceId })).id);
  }
  const create = (title: string, given: object = {}) => api.sectionGroups.create({ ...one, title, ...given });
  const group = (siteSectionGroupId: string) => ({ ...one, siteSectionGroupId });
  const outline = async () => outlineOf((await api.structure.get(one)).structure);
  return { api, one, sections, create, group, outline };
}

type Outline = (string | [string, Outline])[];
interface Listed {
  object: string;
  title: string;
  sections?: Listed[];
  children?: Listed[];
}
const outlineOf = (items: Listed[]): Outline =>
  items.map((item) =>
    item.object === "site-section-group"
      ? [item.title, outlineOf(item.children ?? item.sections!)]
      : item.title,
  );

test("POST …/section-groups takes sections out of where they were, in the given order, and returns its Location", async () => {
  const { api, one, sections, outline } = await siteWith(["Aa", "Bb", "Cc"]);
  const reply = { headers: {} as Record<string, string> };
  const caller = await service.as({ acme: "create" }, { reply });
  const wanted = [sections[2]!, sections[0]!];
  const group = await caller.sectionGroups.create({ ...one, title: "More", icon: "gear", sections: wanted });
  expect(group).toMatchObject({
    object: "site-section-group",
    id: expect.stringMatching(/^sitesg_[0-9A-Za-z]{22}$/),
    title: "More",
    icon: "gear",
    sections: wanted.map((id) => ({ id })),
  });
  expect(group.children).toBeUndefined();
  expect(reply.headers.location).toBe(
    `http://octavo.test/v1/orgs/acme/sites/${one.siteId}/section-groups/${group.id}`,
  );
  expect(await outline()).toEqual(["Bb", ["More", ["Cc", "Aa"]]]);
  expect((await api.sections.list(one)).items.map(({ sectionGroup }) => sectionGroup)).toEqual([
    undefined,
    group.id,
    group.id,
  ]);
});

test("POST …/section-groups is refused without a trace", async () => {
  const { api, one, sections } = await siteWith(["Aa"]);
  const create = (input: object, caller = api) =>
    caller.sectionGroups.create({ ...one, title: "More", ...input } as never);
  await expect(create({ sections: [sections[0], "nope"] })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "body.sections.1: Section: not found",
  });
  await expect(create({ parent: "nope" })).rejects.toMatchObject({ message: "Section group: not found" });
  await expect(create({ siteId: "nope" })).rejects.toMatchObject({ message: "Site: not found" });
  for (const bad of [{ title: "" }, { title: "x".repeat(101) }, { icon: "x y" }, { sections: ["aa", "aa"] }])
    await expect(create(bad), JSON.stringify(bad)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(create({}, await service.as({ acme: "review" }))).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(create({}, await service.as({ beta: "admin" }))).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await api.sectionGroups.list(one)).items).toEqual([]);
});

test("groups lie in groups, five deep at most and never in themselves", async () => {
  const { api, create, group, sections, outline } = await siteWith(["Aa", "Bb"]);
  const outer = await create("Outer");
  const inner = await create("Inner", { parent: outer.id, sections: [sections[1]] });
  expect(await outline()).toEqual(["Aa", ["Outer", [["Inner", ["Bb"]]]]]);
  expect(inner.sectionGroup).toBe(outer.id);
  for (const parent of [outer.id, inner.id])
    await expect(api.sectionGroups.update({ ...group(outer.id), parent })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: "body.parent: lies in the group itself",
    });
  let deepest = inner.id;
  for (let depth = 3; depth <= 5; depth++) deepest = (await create(`${depth}`, { parent: deepest })).id;
  await expect(create("6", { parent: deepest })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const other = await create("Other");
  const nested = api.sectionGroups.update({ ...group(outer.id), parent: other.id });
  await expect(nested).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await api.sectionGroups.update({ ...group(inner.id), parent: null });
  expect(await outline()).toEqual(["Aa", ["Inner", ["Bb"]]]);
});

test("PATCH …/section-groups/{siteSectionGroupId} changes title and icon", async () => {
  const { api, create, group, sections } = await siteWith(["Aa"]);
  const { id } = await create("More", { sections: [sections[0]] });
  const changed = await api.sectionGroups.update({ ...group(id), title: "Less", icon: "gear" });
  expect(changed).toMatchObject({ id, title: "Less", icon: "gear", sections: [{ id: sections[0] }] });
  expect((await api.sectionGroups.update({ ...group(id), icon: null })).icon).toBeUndefined();
  const unknown = api.sectionGroups.update({ ...group("nope"), title: "None" });
  await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND", message: "Section group: not found" });
  await expect(api.sectionGroups.update({ ...group(id), title: "" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("DELETE …/section-groups/{siteSectionGroupId} leaves what lay in it in its place, and refers to nothing", async () => {
  const { api, one, create, group, sections, outline } = await siteWith(["Aa", "Bb", "Cc"]);
  const outer = await create("Outer", { sections: [sections[1]] });
  await create("Inner", { parent: outer.id, sections: [sections[2]] });
  expect(await outline()).toEqual(["Aa", ["Outer", ["Bb", ["Inner", ["Cc"]]]]]);
  expect(await api.sectionGroups.remove(group(outer.id))).toBeUndefined();
  expect(await api.sectionGroups.remove(group(outer.id))).toBeUndefined();
  expect(await outline()).toEqual(["Aa", "Bb", ["Inner", ["Cc"]]]);
  expect((await api.sections.list(one)).items.map(({ sectionGroup }) => sectionGroup === outer.id)).toEqual([
    false,
    false,
    false,
  ]);
});

test("POST …/section-groups/{siteSectionGroupId}/sections moves a section there, DELETE takes it out to the end of the root", async () => {
  const { api, create, group, sections, outline } = await siteWith(["Aa", "Bb"]);
  const [one, two] = [await create("One", { sections: [sections[0]] }), await create("Two")];
  const moved = await api.sectionGroups.addSection({ ...group(two.id), sectionId: sections[0]! });
  expect(moved).toMatchObject({ id: two.id, sections: [{ id: sections[0], sectionGroup: two.id }] });
  expect(await outline()).toEqual(["Bb", ["Two", ["Aa"]]]);
  const take = (from: string) =>
    api.sectionGroups.removeSection({ ...group(from), siteSectionId: sections[0]! });
  expect(await take(one.id)).toBeUndefined();
  expect(await outline()).toEqual(["Bb", ["Two", ["Aa"]]]);
  expect(await take(two.id)).toBeUndefined();
  expect(await outline()).toEqual(["Bb", "Aa"]);
  for (const [id, sectionId, message] of [
    [two.id, "nope", "Section: not found"],
    ["nope", sections[0]!, "Section group: not found"],
  ] as const)
    await expect(api.sectionGroups.addSection({ ...group(id), sectionId })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message,
    });
});

test("POST …/section-groups/{siteSectionGroupId}/move puts it among the sections and groups beside it", async () => {
  const { api, create, group, sections, outline } = await siteWith(["Aa", "Bb"]);
  const { id } = await create("More", { sections: [sections[1]] });
  const move = (position?: object) => api.sectionGroups.move({ ...group(id), position } as never);
  expect(await move({ before: { type: "site-section", id: sections[0] } })).toMatchObject({ id });
  expect(await outline()).toEqual([["More", ["Bb"]], "Aa"]);
  await move();
  expect(await outline()).toEqual(["Aa", ["More", ["Bb"]]]);
  for (const position of [
    { before: { type: "site-section", id: sections[1] } },
    { before: { type: "site-section-group", id: sections[0] } },
    { after: { type: "site-section-group", id } },
    { after: { type: "site-space", id: "x" } },
  ])
    await expect(move(position), JSON.stringify(position)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("GET …/section-groups lists empty ones too, page by page, and in them what the caller may read", async () => {
  const { api, one, create, sections } = await siteWith(["Aa", "Bb"]);
  await create("Full", { sections });
  await create("Empty");
  const { items } = await api.sections.list(one);
  service.content.spaces.get(items[0]!.siteSpaces[0]!.space.id)!.level = null;
  const reader = await service.as({ acme: "read" });
  const first = await reader.sectionGroups.list({ ...one, limit: 1 });
  expect(first).toMatchObject({ count: 2, items: [{ title: "Full", sections: [{ title: "Bb" }] }] });
  const second = await reader.sectionGroups.list({ ...one, limit: 1, page: first.next!.page });
  expect(second).toMatchObject({ count: 2, items: [{ title: "Empty", sections: [] }] });
});

test("section groups are 404 for strangers, 403 for guests, and changed by whoever may create alone", async () => {
  const { one, create, group } = await siteWith(["Aa"]);
  const { id } = await create("More");
  for (const [roles, code] of [
    [{ acme: null }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
  ] as const)
    await expect((await service.as(roles)).sectionGroups.list(one)).rejects.toMatchObject({ code });
  const reviewer = await service.as({ acme: "review" });
  expect((await reviewer.sectionGroups.list(one)).count).toBe(1);
  for (const refused of [
    () => reviewer.sectionGroups.update({ ...group(id), title: "Mine" }),
    () => reviewer.sectionGroups.remove(group(id)),
    () => reviewer.sectionGroups.move(group(id)),
    () => reviewer.sectionGroups.addSection({ ...group(id), sectionId: "x" }),
    () => reviewer.sectionGroups.removeSection({ ...group(id), siteSectionId: "x" }),
  ])
    await expect(refused()).rejects.toMatchObject({ code: "FORBIDDEN" });
});
