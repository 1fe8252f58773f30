import { seeded } from "@octavo/markdown/testing/random";
import { createReaderVerifier } from "@octavo/shared/reader-tokens";
import { operationsOf } from "@octavo/shared/rest/routes";
import { startDns } from "@octavo/shared/testing/dns";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../router.js";
import { testSites } from "../testing/sites.js";
import type { PublishedSiteContent } from "./schema.js";

let service: Awaited<ReturnType<typeof testSites>>;
let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns();
  service = await testSites({ dnsServers: [dns.server] });
  service.atEnd(dns.close);
});
afterAll(() => service.end());

const NOT_FOUND = { code: "NOT_FOUND", details: { reason: "content_not_found" } };

async function publishedSite(titles: string[], settings: object = {}) {
  const api = await service.as({ acme: "create" });
  const spaces = titles.map((title) => service.content.space({ organization: "acme", title }));
  const { id } = await api.sites.create({ organizationId: "acme", spaces: spaces.map((one) => one.id) });
  const one = { organizationId: "acme", siteId: id };
  if (Object.keys(settings).length > 0) await api.sites.update({ ...one, ...settings });
  const { urls } = await api.publishing.publish(one);
  const { items } = await api.siteSpaces.list(one);
  return { api, one, spaces, url: urls.published!, siteSpaces: items };
}

/** Resolves as a stranger to the organization of the site. */
const resolve = async (url: string, visitor = {}) =>
  (await service.as({ beta: "read" })).urls.resolvePublished({ url, ...visitor });
const contentAt = async (url: string) => {
  const found = await resolve(url);
  if ("redirect" in found) throw new Error(`${url} leads to ${found.redirect}`);
  return found;
};
const readerOf = async ({ apiToken }: PublishedSiteContent) =>
  (await createReaderVerifier(service.trustedKeys)(apiToken))!.caller;

test("POST /urls/published finds what a site shows at an address, and a token that reads it", async () => {
  const { one, spaces, siteSpaces, url } = await publishedSite(["Guide", "Version 2"]);
  const root = await contentAt(url);
  expect(root).toMatchObject({
    organization: "acme",
    site: one.siteId,
    siteSpace: siteSpaces[0]!.id,
    space: spaces[0]!.id,
    siteBasePath: `/sites/${one.siteId}/`,
    basePath: `/sites/${one.siteId}/`,
    pathname: "/",
    complete: false,
    canonicalUrl: url,
  });
  const page = await contentAt(`${url}version-2/set-up/on%20a%20mac?q=1#there`);
  expect(page).toMatchObject({
    siteSpace: siteSpaces[1]!.id,
    siteBasePath: `/sites/${one.siteId}/`,
    basePath: `/sites/${one.siteId}/version-2/`,
    pathname: "/set-up/on%20a%20mac",
    complete: true,
    canonicalUrl: `${url}version-2/set-up/on%20a%20mac`,
  });
  const { revision } = page;
  const space = spaces[1]!.id;
  const named = { kind: "reader", organization: "acme", site: one.siteId, epoch: 0, space, revision };
  expect(await readerOf(page)).toMatchObject(named);
});

test("a token says that visitors may see where the space is edited only while its site, or the site space, shows it", async () => {
  const { api, one, siteSpaces, url } = await publishedSite(["Guide", "Version 2"]);
  const consents = async () =>
    Promise.all([url, `${url}version-2/`].map(async (at) => (await readerOf(await contentAt(at))) as object));
  const given = async () => (await consents()).map((reader) => "editLink" in reader);
  expect(await given()).toEqual([false, false]);
  const second = { ...one, siteSpaceId: siteSpaces[1]!.id };
  await api.siteSpaceCustomization.update({ ...second, git: { showEditLink: true } });
  expect(await given()).toEqual([false, true]);
  const look = await api.customization.get(one);
  await api.customization.update({ ...one, ...look, git: { showEditLink: true } });
  expect(await given()).toEqual([true, true]);
  await api.siteSpaceCustomization.update({ ...second, git: { showEditLink: false } });
  expect(await given()).toEqual([true, false]);
});

test("GET /urls/published finds the same and is declared deprecated", async () => {
  const { url } = await publishedSite(["Guide"]);
  const stranger = await service.as({ beta: "read" });
  const { apiToken: _, revision: __, ...posted } = await contentAt(`${url}page`);
  expect(await stranger.urls.getPublished({ url: `${url}page` })).toMatchObject(posted);
  const operation = operationsOf(router).find(({ name }) => name === "urls.getPublished");
  expect(operation?.deprecated?.since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test("an address is complete when what follows cannot lead to another space", async () => {
  const { url } = await publishedSite(["Guide", "Other"]);
  const single = await publishedSite(["Guide"]);
  const complete = async (url: string) => (await contentAt(url)).complete;
  expect(await Promise.all([url, `${url}other`, `${url}page`, single.url].map(complete))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test("the process that shows sites is told which segments lead elsewhere, hidden ones too; clients are not", async () => {
  const { api, one, url } = await publishedSite(["Guide", "Other"]);
  const stranger = await service.as({ beta: "read" });
  const reference = service.content.space({ organization: "acme", title: "Reference" });
  const section = await api.sections.create({ ...one, spaceId: reference.id });
  await api.sections.update({
    ...one,
    siteSectionId: section.id,
    condition: "visitor.claims.unsigned.beta",
  });
  const others = async (at: string) => {
    const found = await stranger.urls.find({ url: at, redirectOnError: false });
    return "redirect" in found ? undefined : [...found.others].sort();
  };
  expect(await others(`${url}page`)).toEqual(["guide", "reference"]);
  expect(await others(`${url}GUIDE/other/page`)).toEqual([]);
  await expect(others(`${url}reference/page`)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await contentAt(`${url}page`)).not.toHaveProperty("others");
});

test("case, the scheme, a slash at the end and doubled slashes decide nothing", async () => {
  const basename = `Docs-${Date.now()}`;
  const { url, siteSpaces } = await publishedSite(["Guide", "Version 2"], { basename });
  const spellings = [
    `${url}version-2`,
    `${url}Version-2/`,
    `${url.replace("http:", "https:")}/version-2//`,
    `http://OCTAVO.test/Sites/${basename.toUpperCase()}/version-2`,
  ];
  for (const spelling of spellings)
    expect(await contentAt(spelling)).toMatchObject({ siteSpace: siteSpaces[1]!.id });
});

test("a site with a name is still found by its id, and returns its canonical address", async () => {
  const basename = `named-${Date.now()}`;
  const { one, url } = await publishedSite(["Guide"], { basename });
  expect(url).toBe(`http://octavo.test/sites/${basename}/`);
  const found = await contentAt(`http://octavo.test/sites/${one.siteId}/page`);
  expect(found).toMatchObject({ basePath: `/sites/${one.siteId}/`, canonicalUrl: `${url}page` });
});

test("a site under a foreign host is published there, and found there", async () => {
  const host = `h${Date.now()}.example.com`;
  const { one, url, siteSpaces } = await publishedSite(["Guide", "Other"], { proxy: `${host}/help/docs` });
  expect(url).toBe(`https://${host}/help/docs/`);
  expect(siteSpaces[1]!.urls.published).toBe(`https://${host}/help/docs/other/`);
  const page = await contentAt(`https://${host.toUpperCase()}/Help/docs/other/page`);
  expect(page).toMatchObject({
    site: one.siteId,
    siteSpace: siteSpaces[1]!.id,
    siteBasePath: "/Help/docs/",
    pathname: "/page",
    canonicalUrl: `https://${host}/help/docs/other/page`,
  });
  // What the foreign host forwards to.
  const target = `http://octavo.test/sites/${one.siteId}/other/page`;
  expect(await contentAt(target)).toMatchObject({ canonicalUrl: page.canonicalUrl, space: page.space });
  for (const elsewhere of [`https://${host}/help/`, `https://${host}/`, `https://www.${host}/help/docs/`]) {
    await expect(resolve(elsewhere)).rejects.toMatchObject(NOT_FOUND);
  }
});

test("what is not there, not published, or for others is the same 404", async () => {
  const { api, one, url } = await publishedSite(["Guide"]);
  for (const unknown of [
    "http://octavo.test/",
    "http://octavo.test/sites/",
    "http://octavo.test/sites/unknown/",
    url.replace("octavo.test", "octavo.test:81"),
    url.replace("octavo.test", "elsewhere.test"),
    url.replace("/sites/", "/pages/"),
  ]) {
    await expect(resolve(unknown)).rejects.toMatchObject(NOT_FOUND);
  }
  await api.sites.update({ ...one, visibility: "share-link" });
  await expect(resolve(url)).rejects.toMatchObject(NOT_FOUND);
  await api.sites.update({ ...one, visibility: "public" });
  await contentAt(url);
  await api.publishing.unpublish(one);
  await expect(resolve(url)).rejects.toMatchObject(NOT_FOUND);
});

test("an address with a share key leads to the site of the link, and ends with the link", async () => {
  const { api, one, url, siteSpaces } = await publishedSite(["Guide", "Other"], { visibility: "share-link" });
  const other = await publishedSite(["Guide"], { visibility: "share-link" });
  const link = await api.shareLinks.create({ ...one, name: "Press" });
  const root = link.urls.published!;
  const key = root.split("/").at(-2)!;
  const found = await contentAt(`${root}other/page`);
  const siteBasePath = `/sites/${one.siteId}/${key}/`;
  expect(found).toMatchObject({
    siteSpace: siteSpaces[1]!.id,
    shareKey: key,
    siteBasePath,
    pathname: "/page",
  });
  expect(found.canonicalUrl).toBe(`${root}other/page`);
  const shouted = await contentAt(`${url}${key.toUpperCase()}/other/page`);
  const { canonicalUrl } = found;
  expect(shouted).toMatchObject({
    canonicalUrl,
    shareKey: key,
    siteBasePath: siteBasePath.replace(key, key.toUpperCase()),
  });
  const caller = await readerOf(found);
  expect(await service.call(caller).sites.get(one)).toMatchObject({ id: one.siteId });
  for (const wrong of [url, `${url}${"0".repeat(40)}/`, `${other.url}${key}/`]) {
    await expect(resolve(wrong)).rejects.toMatchObject(NOT_FOUND);
  }
  await api.shareLinks.update({ ...one, shareLinkId: link.id, active: false });
  await expect(resolve(root)).rejects.toMatchObject(NOT_FOUND);
  await expect(service.call(caller).sites.get(one)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("visitors of a site with visitor authentication sign in first, and their claims travel in the token", async () => {
  const { api, one, url } = await publishedSite(["Guide"], { visibility: "visitor-auth" });
  const admin = await service.as({ acme: "admin" });
  const fallbackURL = "https://login.example.com/in";
  const { privateKey } = await admin.publishingAuth.update({ ...one, backend: "custom", fallbackURL });
  const plan = { type: "string", description: "What they pay for", enum: ["pro", "free"] } as const;
  const jsonSchema = { type: "object", properties: { plan }, additionalProperties: false } as const;
  await api.adaptiveSchema.update({
    ...one,
    jsonSchema: { ...jsonSchema, properties: { plan: { ...plan, enum: [...plan.enum] } } },
  });
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  const unknown = await resolve(`${url}page`);
  expect(unknown).toMatchObject({ target: "external", redirect: expect.stringContaining(fallbackURL) });
  const jwtToken = await new SignJWT({ plan: "pro", other: 1 })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(privateKey));
  const found = await resolve(`${url}page`, { visitor: { jwtToken } });
  expect(await readerOf(found as PublishedSiteContent)).toMatchObject({ claims: { plan: "pro" } });
  const none = [Buffer.from('{"alg":"none"}'), Buffer.from('{"plan":"pro"}')].map((part) =>
    part.toString("base64url"),
  );
  for (const forged of [`${none.join(".")}.`, `${jwtToken}x`, "x"]) {
    await expect(resolve(url, { visitor: { jwtToken: forged } })).rejects.toMatchObject({
      details: { reason: "visitor_token_refused" },
    });
    const sent = await resolve(url, { visitor: { jwtToken: forged }, redirectOnError: true });
    expect(sent).toMatchObject({ target: "external" });
  }
});

test("a space that content does not have in the organization is not found", async () => {
  const { spaces, url } = await publishedSite(["Guide"]);
  spaces[0]!.organization = "beta";
  await expect(resolve(url)).rejects.toMatchObject(NOT_FOUND);
});

test("an address that is none, or whose path is no text, is 400", async () => {
  for (const url of ["nowhere", "ftp://octavo.test/sites/x/", `http://octavo.test/${"x".repeat(20_480)}`]) {
    await expect(resolve(url)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  await expect(resolve("http://octavo.test/sites/%ff/")).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("the token ends when fewer people may see the site, and not when more do", async () => {
  const { api, one, url } = await publishedSite(["Guide"]);
  const read = async (found: PublishedSiteContent) => (await visitor(found)).sites.get(one);
  const visitor = async (found: PublishedSiteContent) => service.call(await readerOf(found));
  let found = await contentAt(url);
  const ended = { code: "UNAUTHORIZED", details: { reason: "reader_token_ended" } };
  expect(await read(found)).toMatchObject({ id: one.siteId });
  await api.sites.update({ ...one, visibility: "unlisted" });
  await expect(read(found)).rejects.toMatchObject(ended);
  found = await contentAt(url);
  await api.sites.update({ ...one, visibility: "public", title: "Renamed" });
  expect(await read(found)).toMatchObject({ title: "Renamed" });
  await (await service.as({ acme: "admin" })).publishingAuth.regenerate(one);
  await expect(read(found)).rejects.toMatchObject(ended);
  found = await contentAt(url);
  await api.publishing.unpublish(one);
  await expect(read(found)).rejects.toMatchObject(ended);
  await api.publishing.publish(one);
  await expect(read(found)).rejects.toMatchObject(ended);
  expect(await read(await contentAt(url))).toMatchObject({ id: one.siteId });
});

test("the token reads its own site and no other, and changes nothing", async () => {
  const { one, url } = await publishedSite(["Guide", "Other"]);
  const other = await publishedSite(["Guide"]);
  const caller = await readerOf(await contentAt(url));
  const reader = service.call(caller, { identity: await service.sign(caller) });
  const profile = await reader.publishing.getPublished(one);
  expect(profile.structure.structure).toHaveLength(2);
  expect((await reader.siteSpaces.list(one)).count).toBe(2);
  for (const elsewhere of [other.one, { ...one, organizationId: "beta" }]) {
    await expect(reader.publishing.getPublished(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  await expect(reader.sites.update({ ...one, title: "Mine" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(reader.sites.list({ organizationId: "acme" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

const WORDS = ["guide", "Guide", "v1", "v2", "über uns", "文档", "api", "a b", "sites", "100%"];

test("of generated sites, every published address leads back to what it was made of", async () => {
  const random = seeded(20_261);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!;
  for (let round = 0; round < 20; round++) {
    const unique = `p${round}-${Date.now()}`;
    const hostname = `docs.${unique}.example`;
    const places = [
      {},
      { basename: unique },
      { hostname },
      { proxy: `${unique}.example.com/docs` },
      { basename: unique, hostname, proxy: `example.com/${unique}/deep/docs` },
    ];
    const titles = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(WORDS));
    const place = places[round % places.length]!;
    const { api, one, siteSpaces } = await publishedSite(titles, place);
    if ("hostname" in place) {
      dns.records.set(`_octavo.${hostname}`, [`octavo-verification=${one.siteId}`]);
      await api.customHostnames.update({ hostname });
    }
    if (random() < 0.5) await api.sites.update({ ...one, defaultSiteSpace: pick(siteSpaces).id });
    for (let section = 0; section < Math.floor(random() * 3); section++) {
      const add = () => service.content.space({ organization: "acme", title: pick(WORDS) }).id;
      const { id: sectionId } = await api.sections.create({ ...one, spaceId: add() });
      await api.siteSpaces.add({ ...one, sectionId, spaceId: add() });
      if (random() < 0.5) await api.sectionGroups.create({ ...one, title: "Group", sections: [sectionId] });
      if (random() < 0.3) await api.sites.update({ ...one, defaultSiteSection: sectionId });
    }
    const shareKey =
      random() < 0.5 ? keyIn(await api.shareLinks.create({ ...one, name: "Press" })) : undefined;
    const url = (await api.sites.get(one)).urls.published!;
    const { items } = await api.siteSpaces.list({ ...one, shareKey });
    const root = shareKey === undefined ? url : `${url}${shareKey}/`;
    const atRoot = items.find((item) => item.urls.published === root)!;
    expect(await contentAt(root)).toMatchObject({ site: one.siteId, siteSpace: atRoot.id, pathname: "/" });
    expect(new Set(items.map(({ urls }) => urls.published!.toLowerCase())).size).toBe(items.length);
    for (const { id, space, urls } of items) {
      const tail = Array.from({ length: Math.floor(random() * 3) }, () =>
        encodeURIComponent(`page ${pick(WORDS)}`),
      );
      const address = urls.published! + tail.join("/");
      const found = await contentAt(address);
      expect(found).toMatchObject({ site: one.siteId, siteSpace: id, space: space.id, shareKey });
      expect(found).toMatchObject({ pathname: `/${tail.join("/")}`, canonicalUrl: address });
      const { origin } = new URL(address);
      expect(origin + found.basePath + found.pathname.slice(1)).toBe(address);
      // By the id of the site the same is found, with its canonical address.
      const byId = address.replace(url, `http://octavo.test/sites/${one.siteId}/`);
      expect(await contentAt(byId)).toMatchObject({ siteSpace: id, canonicalUrl: address });
    }
  }
});

const keyIn = ({ urls }: { urls: { published?: string } }) => urls.published!.split("/").at(-2)!;
