import { describe as described } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const statusOf = (error: unknown) => STATUS[described(error).code as keyof typeof STATUS];
const STATUS = { BAD_REQUEST: 400, NOT_FOUND: 404, CONFLICT: 409 };
const space = (title: string) => service.content.space({ organization: "acme", title });

/** A site with these sections, the first of which has a second variant. */
async function siteWith(titles: string[]) {
  const api = await service.as({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme", title: "Docs" });
  const one = { organizationId: "acme", siteId };
  const sections = [];
  for (const title of titles) sections.push(await api.sections.create({ ...one, spaceId: space(title).id }));
  const group = await api.sectionGroups.create({ ...one, title: "Group" });
  const sort = (type: string, id: string, position?: object) =>
    api.structure.sort({ ...one, item: { type, id }, position } as never);
  return { api, one, sections, group, sort };
}

test("GET …/structure of a site without sections is its site spaces, in their order", async () => {
  const api = await service.as({ acme: "create" });
  const spaces = [space("Aa"), space("Bb")];
  const { id: siteId } = await api.sites.create({
    organizationId: "acme",
    spaces: spaces.map(({ id }) => id),
  });
  const one = { organizationId: "acme", siteId };
  expect(await api.structure.get(one)).toMatchObject({
    type: "siteSpaces",
    structure: [
      { object: "site-space", path: "aa", default: true, title: "Aa" },
      { object: "site-space", path: "bb", default: false, title: "Bb" },
    ],
  });
  const empty = await api.sites.create({ organizationId: "acme" });
  expect(await api.structure.get({ ...one, siteId: empty.id })).toEqual({
    type: "siteSpaces",
    structure: [],
  });
});

test("GET …/structure shows sections and groups mixed in their order, without empty groups and what one may not read", async () => {
  const { api, one, sections, group, sort } = await siteWith(["Aa", "Bb", "Cc"]);
  const titles = async (caller = api) =>
    (await caller.structure.get({ ...one, shareKey: "x" })).structure.map((item) => item.title);
  expect(await titles()).toEqual(["Aa", "Bb", "Cc"]);
  const full = await api.sectionGroups.create({ ...one, title: "Full", sections: [sections[1]!.id] });
  await sort("site-section-group", full.id, { before: { type: "site-section", id: sections[0]!.id } });
  expect(await titles()).toEqual(["Full", "Aa", "Cc"]);
  service.content.spaces.get(sections[1]!.siteSpaces[0]!.space.id)!.level = null;
  expect(await titles(await service.as({ acme: "read" }))).toEqual(["Aa", "Cc"]);
  expect((await api.sectionGroups.list(one)).items.map(({ id }) => id)).toEqual([full.id, group.id]);
});

test("PATCH …/structure/sort moves each kind among what is beside it, and returns it", async () => {
  const { api, one, sections, group, sort } = await siteWith(["Aa", "Bb"]);
  const [a, b] = sections;
  const order = async () =>
    (await api.sections.list(one)).items.flatMap(({ title, siteSpaces }) => [
      title,
      ...siteSpaces.map(({ path }) => path),
    ]);
  const added = await api.siteSpaces.add({ ...one, spaceId: space("V2").id, sectionId: a!.id });
  expect(await order()).toEqual(["Aa", "aa", "v2", "Bb", "bb"]);
  const before = { before: { type: "site-space", id: a!.siteSpaces[0]!.id } };
  expect(await sort("site-space", added.id, before)).toMatchObject({ object: "site-space", id: added.id });
  expect(await order()).toEqual(["Aa", "v2", "aa", "Bb", "bb"]);
  expect(await sort("site-section", a!.id)).toMatchObject({ object: "site-section", id: a!.id });
  expect(await order()).toEqual(["Bb", "bb", "Aa", "v2", "aa"]);
  const after = { after: { type: "site-section-group", id: group.id } };
  expect(await sort("site-section-group", group.id, {})).toMatchObject({ object: "site-section-group" });
  await sort("site-section", b!.id, after);
  expect(await order()).toEqual(["Aa", "v2", "aa", "Bb", "bb"]);
});

test("PATCH …/structure/sort is refused without a trace", async () => {
  const { api, one, sections, group, sort } = await siteWith(["Aa", "Bb"]);
  const [a, b] = sections;
  const inside = b!.siteSpaces[0]!.id;
  const unchanged = await api.structure.get(one);
  for (const [type, id] of [
    ["site-section", "nope"],
    ["site-section", group.id],
    ["site-section-group", a!.id],
    ["site-space", "nope"],
  ] as const)
    await expect(sort(type, id), `${type} ${id}`).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const position of [
    { before: { type: "site-section", id: a!.id } },
    { before: { type: "site-section", id: "nope" } },
    { before: { type: "site-space", id: inside } },
    { before: { type: "site-section-group", id: b!.id } },
    { before: { type: "site-section", id: b!.id }, after: { type: "site-section", id: b!.id } },
  ])
    await expect(sort("site-section", a!.id, position), JSON.stringify(position)).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  await expect(sort("page", a!.id)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const item = { type: "site-section" as const, id: a!.id };
  const others = { ...one, item };
  await expect((await service.as({ acme: "review" })).structure.sort(others)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await expect((await service.as({ beta: "admin" })).structure.sort(others)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect((await service.as({ acme: null })).structure.get(one)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  expect(await api.structure.get(one)).toEqual(unchanged);
});

test("what lies on another site is no place for a move, and is not moved", async () => {
  const { api, one, sections, group, sort } = await siteWith(["Aa", "Bb"]);
  const other = await siteWith(["Aa", "Bb"]);
  const unchanged = await api.structure.get(one);
  const [mine, theirs] = [sections[0]!, other.sections[1]!];
  const invalid = { code: "BAD_REQUEST", details: { reason: "invalid_position" } };
  for (const at of ["before", "after"]) {
    const beside = (type: string, id: string) => ({ [at]: { type, id } }) as never;
    const section = { [at]: { type: "site-section", siteSection: theirs.id } } as never;
    const siteSpace = { [at]: { type: "site-space", siteSpace: theirs.siteSpaces[0]!.id } } as never;
    const moves = [
      () => sort("site-section", mine.id, beside("site-section", theirs.id)),
      () => sort("site-section", mine.id, beside("site-section-group", other.group.id)),
      () => sort("site-section-group", group.id, beside("site-section", theirs.id)),
      () => sort("site-space", mine.siteSpaces[0]!.id, beside("site-space", theirs.siteSpaces[0]!.id)),
      () => api.sections.move({ ...one, siteSectionId: mine.id, position: section }),
      () =>
        api.sectionGroups.move({
          ...one,
          siteSectionGroupId: group.id,
          position: beside("site-section", theirs.id),
        }),
      () => api.siteSpaces.move({ ...one, siteSpaceId: mine.siteSpaces[0]!.id, position: siteSpace }),
    ];
    for (const move of moves) await expect(move()).rejects.toMatchObject(invalid);
  }
  const foreign = [
    () => sort("site-section", theirs.id),
    () => sort("site-section-group", other.group.id),
    () => sort("site-space", theirs.siteSpaces[0]!.id),
    () => api.sections.move({ ...one, siteSectionId: theirs.id }),
    () => api.sectionGroups.move({ ...one, siteSectionGroupId: other.group.id }),
    () => api.siteSpaces.move({ ...one, siteSpaceId: theirs.siteSpaces[0]!.id }),
    () => api.sectionGroups.addSection({ ...one, siteSectionGroupId: group.id, sectionId: theirs.id }),
    () => api.sectionGroups.create({ ...one, title: "Theirs", sections: [theirs.id] }),
    () => api.sections.update({ ...one, siteSectionId: mine.id, defaultSiteSpace: theirs.siteSpaces[0]!.id }),
    () => api.sites.update({ ...one, defaultSiteSection: theirs.id }),
  ];
  for (const move of foreign)
    expect([404, 400]).toContain(statusOf(await move().catch((error: unknown) => error)));
  expect(await api.structure.get(one)).toEqual(unchanged);
  expect((await other.api.sections.list(other.one)).count).toBe(2);
});

test("twenty clients who make, fill, empty and remove groups at once leave none that refers to nothing", async () => {
  const { api, one, sections } = await siteWith(Array.from({ length: 6 }, (_, at) => `Section ${at}`));
  const clients = await Promise.all(Array.from({ length: 20 }, () => service.as({ acme: "create" })));
  const groups: string[] = [];
  const outcomes = await Promise.allSettled(
    clients.map(async (client, at) => {
      const section = sections[at % sections.length]!.id;
      const parent = groups.at(-1) ?? null;
      const { id } = await client.sectionGroups.create({
        ...one,
        title: `G${at}`,
        sections: [section],
        parent,
      });
      groups.push(id);
      const any = groups[(at * 7) % groups.length]!;
      if (at % 3 === 0) await client.sectionGroups.remove({ ...one, siteSectionGroupId: any });
      if (at % 3 === 1) await client.sectionGroups.update({ ...one, siteSectionGroupId: id, parent: any });
      if (at % 4 === 2) await client.sections.remove({ ...one, siteSectionId: section });
      await client.structure.sort({ ...one, item: { type: "site-section-group", id } });
    }),
  );
  // What another client has removed by then is not found, and groups nest five deep at most: nothing else is refused.
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect([400, 404]).toContain(statusOf(outcome.reason));
  const { items } = await api.sectionGroups.list(one);
  const known = new Set(items.map(({ id }) => id));
  expect(known.size).toBeGreaterThan(0);
  const rows = await service.db
    .selectFrom("site_section")
    .select(["id", "section_group"])
    .where("site", "=", one.siteId)
    .execute();
  for (const { section_group } of rows) if (section_group !== null) expect(known).toContain(section_group);
  for (const { sectionGroup } of items) if (sectionGroup !== undefined) expect(known).toContain(sectionGroup);
  const shown = (list: { object: string; id: string; children?: never[]; sections?: never[] }[]): string[] =>
    list.flatMap((item) =>
      item.object === "site-section" ? [item.id] : shown(item.children ?? item.sections ?? []),
    );
  const { structure } = await api.structure.get(one);
  expect(shown(structure as never).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

test("twenty clients who move at once leave one strict order, in which the last move has its effect", async () => {
  const { one, sections, group } = await siteWith(Array.from({ length: 8 }, (_, at) => `Section ${at}`));
  const clients = await Promise.all(Array.from({ length: 20 }, () => service.as({ acme: "create" })));
  const items = [
    ...sections.map(({ id }) => ({ type: "site-section" as const, id })),
    { type: "site-section-group" as const, id: group.id },
  ];
  const moved = await Promise.all(
    clients.map(async (client, at) => {
      for (let turn = 0; turn < 2; turn++) {
        const item = items[(at * 7 + turn * 3) % items.length]!;
        const target = items[(at * 5 + turn * 11 + 1) % items.length]!;
        const position = target.id === item.id ? undefined : { [at % 2 ? "before" : "after"]: target };
        await client.structure.sort({ ...one, item, position });
      }
    }),
  );
  expect(moved).toHaveLength(20);
  const rows = await Promise.all(
    (["site_section", "section_group", "site_space"] as const).map((table) =>
      service.db.selectFrom(table).select(["id", "position"]).where("site", "=", one.siteId).execute(),
    ),
  );
  const positions = rows.flat().map(({ position }) => position);
  expect(positions.toSorted((first, second) => first - second)).toEqual(positions.map((_, at) => at + 1));
  const [client] = clients;
  const last = items[4]!;
  await client!.structure.sort({ ...one, item: last, position: { before: items[0]! } });
  const order = (await client!.sections.list(one)).items.map(({ id }) => id);
  expect(order.toSorted()).toEqual(sections.map(({ id }) => id).toSorted());
  expect(order.indexOf(last.id)).toBe(order.indexOf(items[0]!.id) - 1);
});

test("twenty clients who add, remove and move at once leave exactly one default and no path twice", async () => {
  const { api, one, sections } = await siteWith(["Aa", "Bb", "Cc"]);
  const clients = await Promise.all(Array.from({ length: 20 }, () => service.as({ acme: "create" })));
  await Promise.all(
    clients.map(async (client, at) => {
      const section = sections[at % 3]!;
      const added = await client.siteSpaces.add({ ...one, spaceId: space("V").id, sectionId: section.id });
      if (at % 4 === 0) await client.siteSpaces.remove({ ...one, siteSpaceId: section.siteSpaces[0]!.id });
      if (at % 4 === 1) await client.siteSpaces.remove({ ...one, siteSpaceId: added.id });
      if (at % 4 === 2)
        await client.sections.update({ ...one, siteSectionId: section.id, defaultSiteSpace: added.id });
      if (at % 4 === 3) await client.sites.update({ ...one, defaultSiteSection: section.id });
    }),
  );
  const { items } = await api.sections.list(one);
  expect(items.filter((section) => section.default)).toHaveLength(1);
  for (const { siteSpaces } of items) {
    expect(siteSpaces.filter((each) => each.default)).toHaveLength(1);
    expect(new Set(siteSpaces.map(({ path }) => path)).size).toBe(siteSpaces.length);
  }
  expect((await api.siteSpaces.list(one)).count).toBe(items.flatMap(({ siteSpaces }) => siteSpaces).length);
});
