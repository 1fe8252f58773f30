import { afterAll, beforeAll, expect, test } from "vitest";
import { contentAt } from "../content/client.js";
import { loseAnswers } from "../testing/lossy.js";
import { testSites } from "../testing/sites.js";
import { sweep } from "./unfinished.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const spacesOf = (organization: string) =>
  [...service.content.spaces.values()].filter((space) => space.organization === organization);
const unfinished = () => service.db.selectFrom("unfinished_space").select("space").execute();
const sitesOf = async (organization: string) =>
  (await (await service.as({ [organization]: "read" })).sites.list({ organizationId: organization })).count;

test("POST /orgs/{organizationId}/sites with an empty new space creates it as the caller", async () => {
  const api = await service.as({ fresh: "create" });
  const site = await api.sites.create({ organizationId: "fresh", title: "Handbook", spaces: "empty" });
  const { items } = await api.siteSpaces.list({ organizationId: "fresh", siteId: site.id });
  expect(items).toMatchObject([{ title: "Handbook", path: "handbook", default: true }]);
  expect(spacesOf("fresh")[0]!.pages).toBeUndefined();
  expect(await unfinished()).toEqual([]);
});

test("POST /orgs/{organizationId}/sites with a sample writes its pages through a merged change request", async () => {
  const api = await service.as({ sample: "create" });
  const site = await api.sites.create({ organizationId: "sample", spaces: "sample" });
  expect(site).toMatchObject({ title: "Docs", siteSpaces: 1 });
  expect(spacesOf("sample")).toMatchObject([{ title: "Docs", pages: ["Welcome", "Edit a page", "Publish"] }]);
});

test("POST /orgs/{organizationId}/sites whose title is longer than a space's still creates it", async () => {
  const api = await service.as({ long: "create" });
  await api.sites.create({ organizationId: "long", title: "🦊".repeat(60), spaces: "empty" });
  expect(spacesOf("long")).toMatchObject([{ title: "🦊".repeat(50) }]);
});

test("POST /orgs/{organizationId}/sites that fails half-way leaves no site, and its space in the trash", async () => {
  const api = await service.as({ half: "create" });
  const sample = api.sites.create({ organizationId: "half", title: "Unmergeable", spaces: "sample" });
  await expect(sample).rejects.toThrow();
  expect(spacesOf("half")).toMatchObject([{ deleted: true }]);
  expect(await sitesOf("half")).toBe(0);
  expect(await unfinished()).toEqual([]);

  const again = await api.sites.create({ organizationId: "half", title: "Mergeable", spaces: "sample" });
  expect(again.siteSpaces).toBe(1);
  expect(await sitesOf("half")).toBe(1);
});

test("a space left behind while content is away is discarded later, one that found its site is not", async () => {
  const { client } = service.content;
  const gone = () => Promise.reject(new Error("content is away"));
  const cut = await service.as({ later: "create" }, { content: { ...client, fill: gone, discard: gone } });
  await expect(cut.sites.create({ organizationId: "later", spaces: "sample" })).rejects.toThrow("away");
  const api = await service.as({ later: "create" });
  await api.sites.create({ organizationId: "later", title: "Kept", spaces: "empty" });
  const context = service.contextOf({ kind: "service", service: "sites" });

  await sweep(context);
  expect(spacesOf("later").map(({ deleted }) => deleted)).toEqual([undefined, undefined]);
  await service.db.updateTable("unfinished_space").set({ created_at: "2026-01-01T00:00:00Z" }).execute();
  await sweep(context);
  expect(spacesOf("later").map(({ deleted }) => deleted)).toEqual([true, undefined]);
  expect(await unfinished()).toEqual([]);
});

/** Somebody for whom content's responses to creating a space get lost so many times. */
async function losing(organization: string, times: number) {
  const { url, close } = await loseAnswers(service.content.url, "spaces.createOnce", times);
  const content = contentAt({ url, ownIdentity: async () => "" });
  return { api: await service.as({ [organization]: "create" }, { content }), close };
}

test("a space whose response is lost is requested again by its id, and made once", async () => {
  const { api, close } = await losing("lost-once", 1);
  const site = await api.sites.create({ organizationId: "lost-once", spaces: "empty" });
  expect(site.siteSpaces).toBe(1);
  expect(spacesOf("lost-once")).toMatchObject([{ title: "Docs" }]);
  expect(await unfinished()).toEqual([]);
  await close();
});

test("a space whose responses are all lost is discarded later, by the id that was noted before", async () => {
  const { api, close } = await losing("lost", 2);
  await expect(api.sites.create({ organizationId: "lost", spaces: "empty" })).rejects.toThrow();
  const [left] = spacesOf("lost");
  expect(await unfinished()).toEqual([{ space: left!.id }]);
  await service.db.updateTable("unfinished_space").set({ created_at: "2026-01-01T00:00:00Z" }).execute();
  await sweep(service.contextOf({ kind: "service", service: "sites" }));
  expect(spacesOf("lost")).toMatchObject([{ deleted: true }]);
  expect(await sitesOf("lost")).toBe(0);
  expect(await unfinished()).toEqual([]);
  await close();
});
