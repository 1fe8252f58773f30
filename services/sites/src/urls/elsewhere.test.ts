import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const jsonSchema = {
  type: "object",
  properties: {
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { beta: { type: "boolean", description: "A flag." } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as never;

/** A published site of two sections, with pages. */
async function published(settings: object = {}) {
  const api = await service.as({ acme: "create" });
  const space = (title: string, paths: Record<string, string>) =>
    service.content.space({ organization: "acme", title, paths });
  const guide = space("Guide", { p1: "welcome", p2: "setup/linux", p3: "old" });
  const reference = space("Reference", { r1: "calls/list all" });
  const { id } = await api.sites.create({ organizationId: "acme", spaces: [guide.id], ...settings });
  const one = { organizationId: "acme", siteId: id };
  const section = await api.sections.create({ ...one, spaceId: reference.id });
  const { urls } = await api.publishing.publish(one);
  const root = urls.published!;
  const stranger = await service.as({ beta: "read" });
  const resolve = (path: string, over: object = {}, at = root) =>
    stranger.urls.resolvePublished({ url: at + path, redirectOnError: false, ...over });
  const redirect = (source: string, destination: object) =>
    api.redirects.create({ ...one, source, destination: destination as never });
  return { api, one, guide, reference, section, root, resolve, redirect };
}

const content = (redirect: string) => ({ target: "content", redirect });
const path = (to: string) => ({ kind: "path", path: to });

test("an address with a redirect returns where it leads, for each kind of destination", async () => {
  const { section, root, resolve, redirect } = await published();
  const siteSpaceId = section.siteSpaces[0]!.id;
  await redirect("/gone", path("/welcome"));
  await redirect("/api/*", { kind: "site-section", siteSectionId: section.id });
  await redirect("/calls", { kind: "site-page", siteSpaceId, pageId: "r1" });
  await redirect("/blog/*", { kind: "url", url: "https://blog.example.com/*" });
  expect(await resolve("gone")).toEqual(content(`${root}welcome`));
  expect(await resolve("GONE/")).toEqual(content(`${root}welcome`));
  expect(await resolve("api/calls")).toEqual(content(`${root}reference/calls`));
  expect(await resolve("calls")).toEqual(content(`${root}reference/calls/list%20all`));
  const external = { target: "external", redirect: "https://blog.example.com/2026/one" };
  expect(await resolve("blog/2026/one")).toEqual(external);
  const stranger = await service.as({ beta: "read" });
  expect(await stranger.urls.getPublished({ url: `${root}gone`, redirectOnError: false })).toEqual(
    content(`${root}welcome`),
  );
});

test("several redirects in a row are one step", async () => {
  const { root, resolve, redirect } = await published();
  await redirect("/a", path("/b"));
  await redirect("/b", path("/c"));
  await redirect("/c", path("/welcome"));
  expect(await resolve("a")).toEqual(content(`${root}welcome`));
});

test("content wins: a page, a group and the root of a site space are what they are, whatever stands for their paths", async () => {
  const { resolve, redirect } = await published();
  await redirect("/*", { kind: "url", url: "https://example.com/archive" });
  await redirect("/old", path("/welcome"));
  await redirect("/reference", path("/welcome"));
  for (const [at, pathname] of [
    ["", "/"],
    ["old", "/old"],
    ["setup", "/setup"],
    ["setup/linux", "/setup/linux"],
    ["reference/", "/"],
    ["reference/calls/list%20all", "/calls/list%20all"],
  ] as const)
    expect(await resolve(at)).toMatchObject({ pathname });
  const external = { target: "external", redirect: "https://example.com/archive" };
  expect(await resolve("reference/nothing")).toEqual(external);
});

test("a path that the structure gave up leads to where it is now, with what lies below, until something else is there", async () => {
  const { api, one, section, root, resolve } = await published();
  await api.sections.update({ ...one, siteSectionId: section.id, path: "api" });
  expect(await resolve("reference/calls/list%20all")).toEqual(content(`${root}api/calls/list%20all`));
  const other = service.content.space({ organization: "acme", title: "Other" });
  const { id } = await api.sections.create({ ...one, spaceId: other.id });
  await api.sections.update({ ...one, siteSectionId: id, path: "reference" });
  expect(await resolve("reference/calls")).toMatchObject({ space: other.id, pathname: "/calls" });
});

test("nobody is led to what the visitor is not shown, and who is shown it is led there", async () => {
  const { api, one, section, root, resolve, redirect } = await published();
  await api.adaptiveSchema.update({ ...one, jsonSchema });
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  await redirect("/api", { kind: "site-section", siteSectionId: section.id });
  await api.sections.update({
    ...one,
    siteSectionId: section.id,
    condition: "visitor.claims.unsigned.beta",
  });
  expect(await resolve("api")).toMatchObject({ pathname: "/api" });
  const beta = { visitor: { unsignedClaims: { beta: true } } };
  expect(await resolve("api", beta)).toEqual(content(`${root}reference/`));
});

test("a visitor with a share key is led to an address with the key, and one without access gets no redirect", async () => {
  const { api, one, root, resolve, redirect } = await published({ visibility: "share-link" });
  await redirect("/gone", path("/welcome"));
  const link = await api.shareLinks.create({ ...one, name: "Press" });
  const shared = link.urls.published!;
  expect(await resolve("gone", {}, shared)).toEqual(content(`${shared}welcome`));
  await expect(resolve("gone", {}, root)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the path that a page had leads to where it is, before redirects, with the key of the address", async () => {
  const { api, one, guide, reference, root, resolve, redirect } = await published({
    visibility: "share-link",
  });
  guide.moved = { "set-up": "setup/linux", old: "welcome", "a/b c": "setup/ü" };
  reference.moved = { lists: "calls/list all" };
  await redirect("/set-up", path("/welcome"));
  const shared = (await api.shareLinks.create({ ...one, name: "Press" })).urls.published!;
  const at = (path: string) => resolve(path, {}, shared);
  expect(await at("set-up")).toEqual(content(`${shared}setup/linux`));
  expect(await at("a/b%20c/")).toEqual(content(`${shared}setup/%C3%BC`));
  expect(await at("reference/lists")).toEqual(content(`${shared}reference/calls/list%20all`));
  expect(await at("old")).toMatchObject({ pathname: "/old" });
  expect(await at("lists")).toMatchObject({ pathname: "/lists" });
  expect(await at("x".repeat(3000))).toMatchObject({ pathname: `/${"x".repeat(3000)}` });
  await expect(resolve("set-up", {}, root)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an address of a page calls content twice, that of a space once, one with a redirect three times at most", async () => {
  const { root, section, redirect } = await published();
  await redirect("/api", { kind: "site-section", siteSectionId: section.id });
  let calls = 0;
  const content = new Proxy(service.content.client, {
    get: (client, name, receiver) => {
      calls += 1;
      return Reflect.get(client, name, receiver);
    },
  });
  const stranger = await service.as({ beta: "read" }, { content });
  const callsFor = async (at: string) => {
    calls = 0;
    await stranger.urls.resolvePublished({ url: root + at, redirectOnError: false });
    return calls;
  };
  expect([await callsFor(""), await callsFor("welcome"), await callsFor("api")]).toEqual([1, 2, 3]);
});

test("the process that shows sites looks for redirects by itself", async () => {
  const { root, redirect } = await published();
  await redirect("/gone", path("/welcome"));
  const reader = await service.as({ beta: "read" });
  expect(await reader.urls.find({ url: `${root}gone`, redirectOnError: false })).toMatchObject({
    pathname: "/gone",
  });
});
