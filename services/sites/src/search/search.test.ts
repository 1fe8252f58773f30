import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { describe } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

/** A published site of three spaces, each with a page about herons. */
async function newSite() {
  const api = await service.as({ acme: "create" });
  const spaces = ["Guide", "Version 2", "Version 1"].map((title, at) =>
    service.content.space({ organization: "acme", title, paths: { [`p${at}`]: "birds/the heron" } }),
  );
  const site = await api.sites.create({ organizationId: "acme", spaces: spaces.map(({ id }) => id) });
  const one = { organizationId: "acme", siteId: site.id };
  await api.publishing.publish(one);
  const { items } = await api.siteSpaces.list(one);
  const found = async (scope: object, caller = api) =>
    (await caller.search.search({ ...one, query: "heron", limit: 50, ...scope } as never)).items.map(
      ({ title }) => title,
    );
  return {
    api,
    one,
    spaces,
    ids: items.map(({ id }) => id),
    root: `http://octavo.test/sites/${site.id}/`,
    found,
  };
}

test("POST …/search groups pages by space, with what is above them, where they are published, and their sections", async () => {
  const { api, one, spaces, root } = await newSite();
  const result = await api.search.search({ ...one, query: "heron", limit: 50, scope: { mode: "all" } });
  expect(result.count).toBe(3);
  expect(result.items[1]).toEqual({
    id: spaces[1]!.id,
    title: "Version 2",
    pages: [
      {
        id: "p1",
        title: "birds/the heron",
        path: "birds/the heron",
        ancestors: [{ id: "birds", title: "birds" }],
        urls: {
          app: `http://octavo.test/app/s/${spaces[1]!.id}/p1`,
          published: `${root}version-2/birds/the%20heron`,
        },
        sections: [
          {
            id: "more",
            title: "More",
            path: "birds/the heron#more",
            body: "…",
            urls: {
              app: `http://octavo.test/app/s/${spaces[1]!.id}/p1#more`,
              published: `${root}version-2/birds/the%20heron#more`,
            },
          },
        ],
      },
    ],
  });
  await api.publishing.unpublish(one);
  const offline = await api.search.search({ ...one, query: "heron", limit: 50, scope: { mode: "all" } });
  expect(offline.items[0]!.pages[0]!.urls).not.toHaveProperty("published");
});

test("POST …/search calls content once for all spaces of the scope, in each of its forms", async () => {
  const { ids, found, spaces } = await newSite();
  const [first, second, third] = ids;
  const all = ["Guide", "Version 2", "Version 1"];
  const before = service.content.searched.length;
  expect(await found({ scope: { mode: "all" } })).toEqual(all);
  expect(await found({ scope: { mode: "default" } })).toEqual(["Guide"]);
  expect(await found({ scope: { mode: "default", includedSiteSpaces: [third] } })).toEqual([
    "Guide",
    "Version 1",
  ]);
  expect(await found({ scope: { mode: "specific", siteSpaceIds: [second, third] } })).toEqual(all.slice(1));
  expect(await found({ mode: "all" })).toEqual(all);
  expect(await found({ mode: "current", siteSpaceId: second })).toEqual(["Version 2"]);
  expect(await found({ mode: "specific", siteSpaceIds: [first] })).toEqual(["Guide"]);
  expect(await found({ siteSpaceIds: [first] })).toEqual(["Guide"]);
  expect(service.content.searched.length - before).toBe(8);
  expect(service.content.searched[before]).toEqual(spaces.map(({ id }) => id));
});

test("POST …/search repeats the key of a share link in its addresses, and no other key", async () => {
  const { api, one, found: _, root } = await newSite();
  const { urls } = await api.shareLinks.create({ ...one, name: "Press" });
  const key = urls.published!.split("/").at(-2)!;
  const addressOf = async (shareKey: string) => {
    const all = { query: "heron", limit: 50, scope: { mode: "all" as const }, shareKey };
    return (await api.search.search({ ...one, ...all })).items[1]!.pages[0]!.urls.published;
  };
  expect(await addressOf(key)).toBe(`${root}${key}/version-2/birds/the%20heron`);
  expect(await addressOf("unknown")).toBe(`${root}version-2/birds/the%20heron`);
});

test("POST …/search finds nothing in what the site does not show, or the caller may not read", async () => {
  const { api, one, ids, spaces, found } = await newSite();
  const other = await newSite();
  expect(await found({ scope: { mode: "specific", siteSpaceIds: ["x", other.ids[0]] } })).toEqual([]);
  spaces[1]!.level = null;
  const reader = await service.as({ acme: "read" });
  expect(await found({ scope: { mode: "all" } }, reader)).toEqual(["Guide", "Version 1"]);
  expect(await found({ siteSpaceIds: [ids[1]] }, reader)).toEqual([]);
  expect((await api.search.search({ ...one, query: "owl", limit: 50, mode: "all" })).items).toEqual([]);
});

test("POST …/search is 404 for strangers and unknown sites, 403 for guests", async () => {
  const { api, one, found } = await newSite();
  const all = { scope: { mode: "all" } };
  await expect(found(all, await service.as({ beta: "admin" }))).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(found(all, await service.as({ acme: null }))).rejects.toMatchObject({ code: "FORBIDDEN" });
  const unknown = { ...one, siteId: "site_x", query: "heron", limit: 50, mode: "all" as const };
  await expect(api.search.search(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each<[string, object, string]>([
  ["no scope", {}, "scope"],
  ["an unknown mode", { scope: { mode: "some" } }, "scope.mode"],
  ["no site spaces", { scope: { mode: "specific", siteSpaceIds: [] } }, "scope.siteSpaceIds"],
  ["no site space", { mode: "current" }, "siteSpaceId"],
  ["no list of site spaces", { mode: "specific" }, "siteSpaceIds"],
  ["no words", { mode: "all", query: "" }, "query"],
  ["too many words", { mode: "all", query: "x".repeat(513) }, "query"],
])("POST …/search with %s is 400", async (_, scope, place) => {
  const { found } = await newSite();
  const { code, details } = describe(await found(scope).catch((error: unknown) => error));
  expect([code, details.issues?.map(({ path }) => path)]).toEqual(["BAD_REQUEST", [place]]);
});

test("a visitor searches what the site shows to visitors with the same claims, and no other site", async () => {
  const { api, one, ids, spaces } = await newSite();
  const other = await newSite();
  const caller: ReaderCaller = {
    kind: "reader",
    organization: "acme",
    site: one.siteId,
    epoch: 0,
    token: "t",
    space: spaces[0]!.id,
    revision: "r",
  };
  const search = async (over: Partial<ReaderCaller> = {}, at = one) => {
    const reader = { ...caller, ...over };
    const as = service.call(reader, { identity: await service.sign(reader) });
    const all = { query: "heron", limit: 50, scope: { mode: "all" as const } };
    return (await as.search.search({ ...at, ...all })).items.map(({ title }) => title);
  };
  expect(await search()).toEqual(["Guide", "Version 2", "Version 1"]);
  await api.siteSpaces.update({ ...one, siteSpaceId: ids[1]!, condition: "visitor.claims.beta" });
  expect(await search()).toEqual(["Guide", "Version 1"]);
  expect(await search({ claims: { beta: true } })).toEqual(["Guide", "Version 2", "Version 1"]);
  for (const at of [other.one, { ...one, organizationId: "beta" }])
    await expect(search({}, at)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await api.sites.update({ ...one, visibility: "unlisted" });
  await expect(search()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});
