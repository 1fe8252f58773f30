import { describe } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultCustomization } from "../customization/defaults.js";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const fontFaces = [
  {
    weight: 400,
    sources: [
      { url: "https://fonts.example.com/a.woff2", format: "woff2" as const },
      { url: "https://fonts.example.com/a.woff" },
    ],
  },
];
const font = { fontFamily: "Acme Sans", fontFaces };

/** An organization of its own, with somebody who may create in it. */
let organizations = 0;
async function newOrganization() {
  const organizationId = `fonts-${++organizations}`;
  const api = await service.as({ [organizationId]: "create" });
  const as = (role: "admin" | "read" | null) => service.as({ [organizationId]: role });
  return { organizationId, api, as };
}

test("PUT /orgs/{organizationId}/fonts creates a font, which is listed and read", async () => {
  const { organizationId, api, as } = await newOrganization();
  const created = await api.fonts.create({ organizationId, ...font });
  expect(created).toEqual({
    id: expect.stringMatching(/^font_/),
    custom: true,
    ...font,
    permissions: { edit: true },
  });
  const reader = await as("read");
  const seen = { ...created, permissions: { edit: false } };
  expect(await reader.fonts.list({ organizationId })).toEqual({ items: [seen], count: 1 });
  expect(await reader.fonts.get({ organizationId, fontId: created.id })).toEqual(seen);
});

test("a site takes a font as it is, and keeps it when the font is changed or deleted", async () => {
  const { organizationId, api } = await newOrganization();
  const { permissions: _, ...definition } = await api.fonts.create({ organizationId, ...font });
  const { id: siteId } = await api.sites.create({ organizationId });
  const look = defaultCustomization("Docs");
  const dressed = { ...look, styling: { ...look.styling, font: definition } };
  await api.customization.update({ organizationId, siteId, ...dressed });
  const one = { organizationId, fontId: definition.id };
  const changed = await api.fonts.updateFont({ ...one, fontFamily: "Acme Serif" });
  expect(changed).toMatchObject({ fontFamily: "Acme Serif", fontFaces });
  const bold = [{ weight: 700, sources: [{ url: "https://fonts.example.com/b.woff2" }] }];
  expect((await api.fonts.updateFont({ ...one, fontFaces: bold })).fontFaces).toEqual(bold);
  await api.fonts.remove(one);
  await api.fonts.remove(one);
  await expect(api.fonts.get(one)).rejects.toMatchObject({ code: "NOT_FOUND", message: "Font: not found" });
  expect(await api.customization.get({ organizationId, siteId })).toEqual(dressed);
});

test("a font of another organization is as if it were not there", async () => {
  const { organizationId, api } = await newOrganization();
  const { id: fontId } = await api.fonts.create({ organizationId, ...font });
  const other = await newOrganization();
  const elsewhere = { organizationId: other.organizationId, fontId };
  await expect(other.api.fonts.get(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(other.api.fonts.updateFont(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await other.api.fonts.remove(elsewhere);
  expect((await api.fonts.list({ organizationId })).count).toBe(1);
  expect((await other.api.fonts.list(other)).count).toBe(0);
});

test("a key of a file that was never uploaded is 412", async () => {
  const { organizationId, api } = await newOrganization();
  const uploaded = { organizationId, fontFamily: "Acme", fontFaces: [{ weight: 400, storageKey: "key" }] };
  await expect(api.fonts.create(uploaded)).rejects.toMatchObject({ code: "PRECONDITION_FAILED" });
  expect((await api.fonts.list({ organizationId })).count).toBe(0);
});

test("keys of uploads become the addresses of their files, in their own organization alone", async () => {
  const { organizationId, api } = await newOrganization();
  const upload = { organization: organizationId, key: "regular", format: "woff2" as const };
  service.content.uploads.push({ ...upload, url: "https://files.example.com/regular.woff2" });
  const uploaded = { fontFamily: "Acme", fontFaces: [{ weight: 400, storageKey: "regular" }] };
  const sources = [{ url: "https://files.example.com/regular.woff2", format: "woff2" }];
  const created = await api.fonts.create({ organizationId, ...uploaded });
  expect(created.fontFaces).toEqual([{ weight: 400, sources }]);
  expect((await api.fonts.list({ organizationId })).items[0]!.fontFaces).toEqual(created.fontFaces);

  const one = { organizationId, fontId: created.id };
  service.content.uploads.push({ ...upload, key: "bold", url: "https://files.example.com/bold.woff2" });
  const kept = { weight: 400, storageKey: null };
  const fontFaces = [kept, { weight: 700, storageKey: "bold" }];
  const changed = await api.fonts.updateFont({ ...one, fontFaces });
  const bold = { weight: 700, sources: [{ url: "https://files.example.com/bold.woff2", format: "woff2" }] };
  expect(changed.fontFaces).toEqual([{ weight: 400, sources }, bold]);
  const unknown = { weight: 900, storageKey: null };
  const changing = api.fonts.updateFont({ ...one, fontFaces: [unknown] });
  await expect(changing).rejects.toMatchObject({ code: "PRECONDITION_FAILED" });
  expect((await api.fonts.get(one)).fontFaces).toEqual(changed.fontFaces);

  const other = await newOrganization();
  const stealing = other.api.fonts.create({ organizationId: other.organizationId, ...uploaded });
  await expect(stealing).rejects.toMatchObject({ code: "PRECONDITION_FAILED" });
  expect((await other.api.fonts.list(other)).count).toBe(0);
});

test.each<[string, object, string]>([
  ["a long name", { fontFamily: "x".repeat(51) }, "fontFamily"],
  ["a name that leaves a style sheet", { fontFamily: 'x"; }' }, "fontFamily"],
  ["no faces", { fontFaces: [] }, "fontFaces"],
  ["a weight of nothing", { fontFaces: [{ ...fontFaces[0], weight: 0 }] }, "fontFaces.0.weight"],
  [
    "a file that runs",
    { fontFaces: [{ weight: 400, sources: [{ url: "javascript:alert(1)" }] }] },
    "fontFaces.0.sources.0.url",
  ],
  [
    "a format that browsers do not load",
    { fontFaces: [{ weight: 400, sources: [{ url: "https://e.com/a", format: "ttf" }] }] },
    "fontFaces",
  ],
])("PUT /orgs/{organizationId}/fonts with %s is 400 with its place", async (_, wrong, place) => {
  const { organizationId, api } = await newOrganization();
  const creating = api.fonts.create({ organizationId, ...font, ...wrong } as never);
  const { code, details } = describe(await creating.catch((error: unknown) => error));
  expect([code, details.issues?.map(({ path }) => path)]).toEqual(["BAD_REQUEST", [place]]);
});

test("fonts are 404 for strangers, 403 for guests, and writing for readers", async () => {
  const { organizationId, api, as } = await newOrganization();
  const { id: fontId } = await api.fonts.create({ organizationId, ...font });
  const one = { organizationId, fontId };
  const reads = (caller: typeof api) => [() => caller.fonts.list(one), () => caller.fonts.get(one)];
  const writes = (caller: typeof api) => [
    () => caller.fonts.create({ organizationId, ...font }),
    () => caller.fonts.updateFont({ ...one, fontFamily: "Mine" }),
    () => caller.fonts.remove(one),
  ];
  const stranger = await service.as({ beta: "admin" });
  for (const call of [...reads(stranger), ...writes(stranger)])
    await expect(call()).rejects.toMatchObject({ code: "NOT_FOUND" });
  const guest = await as(null);
  for (const call of [...reads(guest), ...writes(guest)])
    await expect(call()).rejects.toMatchObject({ code: "FORBIDDEN" });
  const reader = await as("read");
  for (const call of writes(reader)) await expect(call()).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await api.fonts.get(one)).fontFamily).toBe("Acme Sans");
});
