import { describe } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultCustomization } from "../customization/defaults.js";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";
import type { Destination } from "./schema.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function newSite() {
  const api = await service.as({ acme: "create" });
  const space = (title: string, paths = {}) => service.content.space({ organization: "acme", title, paths });
  const spaces = [space("Guide", { p1: "welcome/first steps" }), space("Version 2", { p2: "start" })];
  const site = await api.sites.create({ organizationId: "acme", spaces: spaces.map(({ id }) => id) });
  const one = { organizationId: "acme", siteId: site.id };
  const { items: siteSpaces } = await api.siteSpaces.list(one);
  const root = `http://octavo.test/sites/${site.id}/`;
  const create = (source: string, destination: Destination) =>
    api.redirects.create({ ...one, source, destination });
  const target = async (source: string, caller = api) =>
    (await caller.redirects.getBySource({ ...one, source })).target;
  return { api, one, spaces, siteSpaces, root, create, target };
}

const sitesRow = (id: string) => sites.find(service.contextOf(service.self), "acme", id);
const path = (to: string) => ({ kind: "path" as const, path: to });
const url = (to: string) => ({ kind: "url" as const, url: to });
const refusal = async (promise: Promise<unknown>) => {
  const { code, details } = describe(await promise.catch((error: unknown) => error));
  return [code, details.reason ?? details.issues?.[0]?.path];
};
const NOT_FOUND = { code: "NOT_FOUND", message: "Redirect: not found" };

test("POST …/redirects leads a path to a site space, a page, another path or an address", async () => {
  const { api, one, siteSpaces, root, create, target } = await newSite();
  const second = siteSpaces[1]!.id;
  const created = await create("/Old", { kind: "site-space", siteSpaceId: second });
  expect(created).toEqual({
    object: "site-redirect",
    id: expect.stringMatching(/^siterd_/),
    source: "/Old",
    destination: { kind: "site-space", siteSpaceId: second },
  });
  await create("/old/page", { kind: "site-page", siteSpaceId: second, pageId: "p2" });
  await create("/old/first", { kind: "site-page", siteSpaceId: siteSpaces[0]!.id, pageId: "p1" });
  await create("/moved", path("/new/place"));
  await create("/away", url("https://example.com/docs?x=1#y"));
  expect(await target("/old")).toBe(`${root}version-2/`);
  expect(await target("/old/page")).toBe(`${root}version-2/start`);
  expect(await target("/old/first")).toBe(`${root}welcome/first%20steps`);
  expect(await target("/moved")).toBe(`${root}new/place`);
  expect(await target("/AWAY/")).toBe("https://example.com/docs?x=1#y");
  const found = await api.redirects.getBySource({ ...one, source: "/OLD", shareKey: "unknown" });
  expect(found.redirect).toEqual(created);
});

test("a pattern takes what lies below it along, and the closest one counts", async () => {
  const { siteSpaces, root, create, target } = await newSite();
  await create("/v1/*", path("/archive/v1/*"));
  await create("/v1/api/*", url("https://api.example.com/v1/*"));
  await create("/v1/api/intro", path("/intro"));
  await create("/guide-old/*", { kind: "site-space", siteSpaceId: siteSpaces[1]!.id });
  await create("/all/*", path("/one"));
  expect(await target("/v1/Some/Page")).toBe(`${root}archive/v1/Some/Page`);
  expect(await target("/v1/api/Users")).toBe("https://api.example.com/v1/Users");
  expect(await target("/V1/API/Intro")).toBe(`${root}intro`);
  expect(await target("/guide-old/a/b")).toBe(`${root}version-2/a/b`);
  expect(await target("/all/of/this")).toBe(`${root}one`);
  await expect(target("/v1")).rejects.toMatchObject(NOT_FOUND);
});

test("GET …/redirect follows what leads on, so that the reader is sent once, and names the first", async () => {
  const { api, one, siteSpaces, root, create } = await newSite();
  const first = await create("/a", path("/b"));
  await create("/b", url(`${root}c?x=1`));
  await create("/c", { kind: "site-space", siteSpaceId: siteSpaces[1]!.id });
  const found = await api.redirects.getBySource({ ...one, source: "/a" });
  expect(found).toEqual({ redirect: first, target: `${root}version-2/` });
});

test("GET …/redirect repeats the key of a share link in its target, and no other key", async () => {
  const { api, one, root, create } = await newSite();
  await create("/old", path("/new"));
  const { urls } = await api.shareLinks.create({ ...one, name: "Press" });
  await api.publishing.publish(one);
  const key = (await api.shareLinks.list(one)).items[0]!.urls.published!.split("/").at(-2)!;
  expect(urls).toBeDefined();
  const target = async (shareKey: string) =>
    (await api.redirects.getBySource({ ...one, source: "/old", shareKey })).target;
  expect(await target(key)).toBe(`${root}${key}/new`);
  expect(await target("unknown")).toBe(`${root}new`);
});

test("GET …/redirect is 404 for other paths, and for what the caller may not read or the site shows no more", async () => {
  const { spaces, siteSpaces, create, target } = await newSite();
  await create("/old", { kind: "site-space", siteSpaceId: siteSpaces[1]!.id });
  await create("/page", { kind: "site-page", siteSpaceId: siteSpaces[1]!.id, pageId: "p2" });
  await expect(target("/other")).rejects.toMatchObject(NOT_FOUND);
  spaces[1]!.level = null;
  const reader = await service.as({ acme: "read" });
  for (const source of ["/old", "/page"])
    await expect(target(source, reader)).rejects.toMatchObject(NOT_FOUND);
  delete spaces[1]!.level;
  spaces[1]!.paths = {};
  await expect(target("/page")).rejects.toMatchObject(NOT_FOUND);
});

test("a redirect onto itself is 400, however it is written", async () => {
  const { api, one, siteSpaces, root, create } = await newSite();
  const onto = ["BAD_REQUEST", "redirect_onto_itself"];
  expect(await refusal(create("/a", path("/a")))).toEqual(onto);
  expect(await refusal(create("/a", path("/A")))).toEqual(onto);
  expect(await refusal(create("/%61", path("/a")))).toEqual(onto);
  expect(await refusal(create("/a", url(`${root}a?x=1`)))).toEqual(onto);
  expect(await refusal(create("/a/*", path("/a/b/*")))).toEqual(onto);
  expect(await refusal(create("/*", path("/a")))).toEqual(onto);
  const [, second] = siteSpaces;
  expect(await refusal(create("/version-2", { kind: "site-space", siteSpaceId: second!.id }))).toEqual(onto);
  const page = { kind: "site-page" as const, siteSpaceId: second!.id, pageId: "p2" };
  expect(await refusal(create("/version-2/start", page))).toEqual(onto);
  expect((await api.redirects.list(one)).count).toBe(0);
});

test("a circle is 409, over several redirects, patterns and changes", async () => {
  const { api, one, create } = await newSite();
  const circle = ["CONFLICT", "redirect_circle"];
  await create("/a", path("/b"));
  await create("/b", path("/c"));
  expect(await refusal(create("/c", path("/a")))).toEqual(circle);
  expect(await refusal(create("/c/*", path("/a")))).not.toEqual(circle);
  expect(await refusal(create("/c", path("/c-old/x")))).not.toEqual(circle);
  expect(await refusal(create("/c-old/*", path("/b")))).toEqual(circle);
  const last = await create("/z", path("/y"));
  const changed = api.redirects.update({
    ...one,
    siteRedirectId: last.id,
    source: "/y",
    destination: path("/z"),
  });
  expect((await changed).destination).toEqual(path("/z"));
  const again = { ...one, siteRedirectId: last.id, source: "/c-old/x", destination: path("/a") };
  expect(await refusal(api.redirects.update(again))).toEqual(circle);
});

test("twenty clients that each add a part of a circle never close it", async () => {
  const { api, one, create, target } = await newSite();
  const parts = Array.from({ length: 20 }, (_, at) => [`/p${at}`, `/p${(at + 1) % 20}`] as const);
  const results = await Promise.allSettled(parts.map(([from, to]) => create(from, path(to))));
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect((await api.redirects.list(one)).count).toBe(19);
  const [open] = parts.filter((_, at) => results[at]!.status === "rejected");
  for (const [from] of parts) if (from !== open![0]) expect(await target(from)).toContain(open![0]);
});

test("a chain that is longer than a reader waits for leads on from where it was left", async () => {
  const { root, create, target } = await newSite();
  for (let at = 0; at < 25; at += 1) await create(`/c${at}`, path(`/c${at + 1}`));
  expect(await target("/c0")).toBe(`${root}c20`);
  expect(await target("/c20")).toBe(`${root}c25`);
});

test("a source that another redirect has is 409", async () => {
  const { api, one, create } = await newSite();
  await create("/old", path("/new"));
  const other = await create("/older", path("/new"));
  const taken = { code: "CONFLICT", message: "body.source: is the source of another redirect" };
  await expect(create("/OLD", path("/newer"))).rejects.toMatchObject(taken);
  const change = { ...one, siteRedirectId: other.id, source: "/%6Fld" };
  await expect(api.redirects.update(change)).rejects.toMatchObject(taken);
});

test("GET …/redirects lists by source, pages, and finds parts of sources", async () => {
  const { api, one, create } = await newSite();
  for (const source of ["/b", "/a/x", "/a", "/100%25", "/c"])
    await create(source, url("https://example.com"));
  const sources = async (input: object = {}) =>
    (await api.redirects.list({ ...one, ...input })).items.map(({ source }) => source);
  expect(await sources()).toEqual(["/100%25", "/a", "/a/x", "/b", "/c"]);
  expect(await sources({ search: "A" })).toEqual(["/a", "/a/x"]);
  expect(await sources({ search: "%" })).toEqual(["/100%25"]);
  const first = await api.redirects.list({ ...one, limit: 3 });
  expect([first.count, await sources({ limit: 3, page: first.next!.page })]).toEqual([5, ["/b", "/c"]]);
});

test("PATCH and DELETE …/redirects/{siteRedirectId}", async () => {
  const { api, one, root, create, target } = await newSite();
  const { id } = await create("/old", path("/new"));
  const redirect = { ...one, siteRedirectId: id };
  await api.redirects.update({ ...redirect, destination: url("https://example.com") });
  expect(await target("/old")).toBe("https://example.com");
  await api.redirects.update({ ...redirect, source: "/older" });
  expect(await target("/older")).toBe("https://example.com");
  await expect(target("/old")).rejects.toMatchObject(NOT_FOUND);
  const other = await newSite();
  for (const wrong of [
    { ...redirect, siteRedirectId: "x" },
    { ...redirect, ...other.one },
  ]) {
    await expect(api.redirects.update(wrong)).rejects.toMatchObject(NOT_FOUND);
    await api.redirects.remove(wrong);
  }
  expect(await target("/older")).toBe("https://example.com");
  await api.redirects.remove(redirect);
  await api.redirects.remove(redirect);
  await expect(target("/older")).rejects.toMatchObject(NOT_FOUND);
  expect(await create("/older", path("/x"))).toMatchObject({ source: "/older" });
  expect(await target("/older")).toBe(`${root}x`);
});

test.each<[string, string, object, string]>([
  ["a source without a slash", "old", path("/new"), "source"],
  ["a source that is the root", "/", path("/new"), "source"],
  ["a source with a slash at its end", "/old/", path("/new"), "source"],
  ["an empty segment", "/a//b", path("/new"), "source"],
  ["segments of dots", "/a/../b", path("/new"), "source"],
  ["segments of dots that are encoded", "/a/%2E%2e", path("/new"), "source"],
  ["a star in the middle", "/a/*/b", path("/new"), "source"],
  ["a query", "/a?b", path("/new"), "source"],
  ["half an escape", "/a%2", path("/new"), "source"],
  ["a long source", `/${"x".repeat(512)}`, path("/new"), "source"],
  ["an unknown kind", "/a", { kind: "nowhere" }, "destination.kind"],
  ["an address that runs", "/a", url("javascript:alert(1)"), "destination.url"],
  ["an address of data", "/a", url("data:text/html,x"), "destination.url"],
  ["a path of another host", "/a", path("//evil.example"), "destination.path"],
  ["a star for nothing", "/a", path("/b/*"), "body.destination.path"],
  ["an unknown site space", "/a", { kind: "site-space", siteSpaceId: "x" }, "body.destination.siteSpaceId"],
  [
    "a page of an unknown site space",
    "/a",
    { kind: "site-page", siteSpaceId: "x", pageId: "p" },
    "body.destination.pageId",
  ],
])("POST …/redirects with %s is 400 with its place", async (_, source, destination, place) => {
  const { api, one, create } = await newSite();
  expect(await refusal(create(source, destination as never))).toEqual(["BAD_REQUEST", place]);
  expect((await api.redirects.list(one)).count).toBe(0);
});

test("an unknown page, and a site space of another site, are 400", async () => {
  const { siteSpaces, create } = await newSite();
  const other = await newSite();
  const page = { kind: "site-page" as const, siteSpaceId: siteSpaces[0]!.id, pageId: "p2" };
  expect(await refusal(create("/a", page))).toEqual(["BAD_REQUEST", "body.destination.pageId"]);
  const foreign = { kind: "site-space" as const, siteSpaceId: other.siteSpaces[0]!.id };
  expect(await refusal(create("/a", foreign))).toEqual(["BAD_REQUEST", "body.destination.siteSpaceId"]);
});

test("…/redirects is 404 for strangers and unknown sites, 403 for guests, and writing for readers", async () => {
  const { api, one, create } = await newSite();
  const { id: siteRedirectId } = await create("/old", path("/new"));
  const redirect = { ...one, siteRedirectId };
  for (const [roles, reading, writing] of [
    [{ beta: "admin" }, "NOT_FOUND", "NOT_FOUND"],
    [{ acme: null }, "FORBIDDEN", "FORBIDDEN"],
    [{ acme: "review" }, undefined, "FORBIDDEN"],
  ] as const) {
    const { redirects } = await service.as(roles);
    for (const read of [() => redirects.list(one), () => redirects.getBySource({ ...one, source: "/old" })]) {
      if (reading) await expect(read()).rejects.toMatchObject({ code: reading });
      else await read();
    }
    for (const write of [
      () => redirects.create({ ...one, source: "/x", destination: path("/y") }),
      () => redirects.update(redirect),
      () => redirects.remove(redirect),
    ])
      await expect(write()).rejects.toMatchObject({ code: writing });
  }
  const unknown = { ...one, siteId: "site_x" };
  await expect(api.redirects.list(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await api.redirects.list(one)).count).toBe(1);
});

test("a redirect leads to a section, and a former path of a section or site space to where it is now", async () => {
  const { api, one, siteSpaces, root, create, target } = await newSite();
  const space = service.content.space({ organization: "acme", title: "Reference" });
  const section = await api.sections.create({ ...one, spaceId: space.id, title: "API" });
  await create("/old-api/*", { kind: "site-section", siteSectionId: section.id });
  expect(await target("/old-api/users")).toBe(`${root}api/users`);
  expect(await refusal(create("/x", { kind: "site-section", siteSectionId: "x" }))).toEqual([
    "BAD_REQUEST",
    "body.destination.siteSectionId",
  ]);
  await api.sections.update({ ...one, siteSectionId: section.id, path: "reference" });
  const former = await api.redirects.getBySource({ ...one, source: "/API/Users/create" });
  expect(former).toEqual({
    redirect: {
      object: "site-redirect",
      id: expect.stringMatching(/^former_[\w-]+$/),
      source: "/API",
      destination: { kind: "site-section", siteSectionId: section.id },
    },
    target: `${root}reference/Users/create`,
  });
  expect(await target("/api")).toBe(`${root}reference/`);
  // A redirect that somebody made counts before what the structure remembers.
  await create("/api", path("/elsewhere"));
  expect(await target("/api")).toBe(`${root}elsewhere`);
  // The first site spaces lay at the root before there were sections.
  expect(await target("/version-2/start")).toMatch(/version-2\/start$/);
  expect(siteSpaces).toHaveLength(2);
});

test("every change of the look or of redirects gives a site its next version", async () => {
  const { api, one, siteSpaces, create } = await newSite();
  const version = async () =>
    (
      await service.db
        .selectFrom("site")
        .select("version")
        .where("id", "=", one.siteId)
        .executeTakeFirstOrThrow()
    ).version;
  let redirect = "";
  const variant = { ...one, siteSpaceId: siteSpaces[0]!.id };
  for (const write of [
    async () => {
      redirect = (await create("/old", path("/new"))).id;
    },
    () => api.redirects.update({ ...one, siteRedirectId: redirect, source: "/older" }),
    () => api.redirects.remove({ ...one, siteRedirectId: redirect }),
    () => api.customization.update({ ...one, ...defaultCustomization("Docs") }),
    () => api.siteSpaceCustomization.update({ ...variant, title: "Own title" }),
    () => api.siteSpaceCustomization.remove(variant),
  ]) {
    const before = await version();
    await write();
    expect(await version()).toBeGreaterThan(before);
  }
  const before = await version();
  await expect(create("/a", path("/a"))).rejects.toThrow();
  await api.siteSpaceCustomization.remove(variant);
  expect(await version()).toBe(before);
});

test("POST …/redirects/import creates and changes redirects by their sources, and counts them", async () => {
  const { api, one, root, create, target } = await newSite();
  const kept = await create("/kept", path("/new"));
  await create("/changed", path("/first"));
  const redirects = [
    { source: "/KEPT/page", destination: path("/new/page") },
    { source: "/kept", destination: path("/new") },
    { source: "/Changed", destination: url("https://example.com/") },
    { source: "/old/*", destination: path("/archive/*") },
  ];
  const { version } = (await sitesRow(one.siteId))!;
  expect(await api.redirects.importMany({ ...one, redirects })).toEqual({
    created: 2,
    updated: 1,
    unchanged: 1,
  });
  expect((await sitesRow(one.siteId))!.version).toBe(version + 1);
  expect(await target("/kept/PAGE")).toBe(`${root}new/page`);
  expect(await target("/changed")).toBe("https://example.com/");
  expect(await target("/old/a")).toBe(`${root}archive/a`);
  const { items } = await api.redirects.list(one);
  expect(items.map(({ source }) => source)).toEqual(["/Changed", "/kept", "/KEPT/page", "/old/*"]);
  expect(items[1]).toEqual(kept);
  expect(await api.redirects.importMany({ ...one, redirects })).toEqual({
    created: 0,
    updated: 0,
    unchanged: 4,
  });
  expect((await sitesRow(one.siteId))!.version).toBe(version + 1);
});

test("POST …/redirects/import makes none when one of them is refused", async () => {
  const { api, one, create } = await newSite();
  await create("/a", path("/b"));
  const bring = (...redirects: [string, string][]) =>
    api.redirects.importMany({
      ...one,
      redirects: redirects.map(([source, to]) => ({ source, destination: path(to) })),
    });
  expect(await refusal(bring(["/x", "/y"], ["/b", "/a"]))).toEqual(["CONFLICT", "redirect_circle"]);
  expect(await refusal(bring(["/x", "/y"], ["/y", "/z"], ["/z", "/x"]))).toEqual([
    "CONFLICT",
    "redirect_circle",
  ]);
  expect(await refusal(bring(["/x", "/y"], ["/q", "/q"]))).toEqual(["BAD_REQUEST", "redirect_onto_itself"]);
  const repeated = await bring(["/x", "/y"], ["/q", "/r"], ["/X", "/z"], ["/%78", "/z"]).catch(describe);
  expect(repeated).toMatchObject({
    code: "BAD_REQUEST",
    details: {
      issues: [
        { path: "body.redirects.2.source", message: "is the source of redirects.0 as well" },
        { path: "body.redirects.3.source", message: "is the source of redirects.0 as well" },
      ],
    },
  });
  expect((await api.redirects.list(one)).items.map(({ source }) => source)).toEqual(["/a"]);
  // What is replaced makes no circle any more.
  expect(await bring(["/a", "/c"], ["/b", "/a"])).toMatchObject({ created: 1, updated: 1 });
});

test("a site has at most 10,000 redirects, which an import may change", async () => {
  const { api, one } = await newSite();
  const batch = (from: number, count: number, to: string) =>
    api.redirects.importMany({
      ...one,
      redirects: Array.from({ length: count }, (_, n) => ({
        source: `/old-${from + n}`,
        destination: path(to),
      })),
    });
  await service.db
    .insertInto("site_redirect")
    .values(
      Array.from({ length: 9_999 }, (_, n) => ({
        id: `siterd_full_${n}`,
        site: one.siteId,
        source: `/old-${n}`,
        source_key: `/old-${n}`,
        kind: "path" as const,
        address: "/new",
      })),
    )
    .execute();
  const full = ["CONFLICT", "too_many_redirects"];
  expect(await refusal(batch(9_998, 3, "/new"))).toEqual(full);
  expect(await batch(9_998, 2, "/newer")).toEqual({ created: 1, updated: 1, unchanged: 0 });
  expect(await batch(0, 2, "/newer")).toEqual({ created: 0, updated: 2, unchanged: 0 });
  expect(await refusal(api.redirects.create({ ...one, source: "/more", destination: path("/new") }))).toEqual(
    full,
  );
});
