import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { startDns } from "@octavo/shared/testing/dns";
import type { Roles } from "@octavo/shared/testing/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns();
  service = await testSites({ dnsServers: [dns.server] });
  service.atEnd(dns.close);
});
afterAll(() => service.end());

let names = 0;
const newName = () => `docs.host-${++names}.example`;

async function siteWith(settings: object = {}, organizationId = "acme") {
  const api = await service.as({ [organizationId]: "create" });
  const space = service.content.space({ organization: organizationId, title: "Guide" });
  const other = service.content.space({ organization: organizationId, title: "Other" });
  const { id: siteId } = await api.sites.create({ organizationId, spaces: [space.id, other.id] });
  const one = { organizationId, siteId };
  await api.sites.update({ ...one, ...settings });
  await api.publishing.publish(one);
  return { api, one, space };
}

/** Writes the record that proves a hostname to a site. */
const prove = (hostname: string, { siteId }: { siteId: string }) =>
  dns.records.set(`_octavo.${hostname}`, [`octavo-verification=${siteId}`]);

const urlOf = async ({ api, one }: Awaited<ReturnType<typeof siteWith>>) =>
  (await api.sites.get(one)).urls.published;
const resolve = async (url: string) => (await service.as({ beta: "read" })).urls.resolvePublished({ url });

test("a site is published under a hostname once its DNS names the site, and found there", async () => {
  const hostname = newName();
  const site = await siteWith({ hostname });
  const { api, one } = site;
  const before = await api.customHostnames.get({ hostname });
  expect(before).toMatchObject({ object: "custom-hostname", isActive: false, target: { site: one.siteId } });
  expect(before.record).toEqual({
    type: "TXT",
    name: `_octavo.${hostname}`,
    value: `octavo-verification=${one.siteId}`,
  });
  expect(await urlOf(site)).toBe(`http://octavo.test/sites/${one.siteId}/`);
  await expect(resolve(`http://${hostname}/`)).rejects.toMatchObject({ code: "NOT_FOUND" });
  prove(hostname, one);
  await api.customHostnames.update({ hostname });
  expect(await api.customHostnames.get({ hostname })).toMatchObject({ isActive: true, status: "dns_passed" });
  expect(await api.sites.get(one)).toMatchObject({ hostname, urls: { published: `http://${hostname}/` } });
  const { items } = await api.siteSpaces.list(one);
  for (const { id, urls } of items) {
    const found = await resolve(`${urls.published}page`);
    expect(found).toMatchObject({ site: one.siteId, siteSpace: id, siteBasePath: "/", pathname: "/page" });
  }
  const audience = (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).at(-1);
  expect(audience!.spaces[0]!.url).toBe(`http://${hostname}/`);
  expect(audience!.hostname).toBe(hostname);
  const owner = await (await service.asService("gateway")).customHostnames.lookup({
    hostname: hostname.toUpperCase(),
  });
  expect(owner).toEqual({ site: one.siteId, organization: "acme" });
  // The address by id still leads there.
  expect(await resolve(`http://octavo.test/sites/${one.siteId}/`)).toMatchObject({
    canonicalUrl: `http://${hostname}/`,
  });
});

test("PATCH reports what it looked for and what it found; a record that is gone ends the hostname", async () => {
  const hostname = newName();
  const site = await siteWith({ hostname });
  const { api, one } = site;
  const look = () => api.customHostnames.update({ hostname });
  const status = async () => (await api.customHostnames.get({ hostname })).status;
  const refused = (reason: string) => ({ code: "CONFLICT", details: { reason } });
  await expect(look()).rejects.toMatchObject(refused("record_not_found"));
  expect(await status()).toBe("dns_no_cname");
  dns.records.set(`_octavo.${hostname}`, ["octavo-verification=another"]);
  await expect(look()).rejects.toMatchObject(refused("record_mismatch"));
  expect(await status()).toBe("dns_wrong_cname");
  prove(hostname, one);
  await look();
  dns.records.set(`_octavo.${hostname}`, "SERVFAIL");
  await expect(look()).rejects.toMatchObject(refused("dns_failed"));
  expect(await urlOf(site)).toBe(`http://${hostname}/`);
  dns.records.delete(`_octavo.${hostname}`);
  await expect(look()).rejects.toMatchObject(refused("record_not_found"));
  expect(await urlOf(site)).toBe(`http://octavo.test/sites/${one.siteId}/`);
  await expect(resolve(`http://${hostname}/`)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("of two sites that name a hostname, it is that one's which the DNS names, and one's at a time", async () => {
  const hostname = newName();
  const squatter = await siteWith({ hostname }, "beta");
  const owner = await siteWith({ hostname });
  prove(hostname, owner.one);
  await expect(squatter.api.customHostnames.update({ hostname })).rejects.toMatchObject({ code: "CONFLICT" });
  await owner.api.customHostnames.update({ hostname });
  expect(await resolve(`http://${hostname}/`)).toMatchObject({ site: owner.one.siteId });
  dns.records.set(
    `_octavo.${hostname}`,
    [owner, squatter].map(({ one }) => `octavo-verification=${one.siteId}`),
  );
  await expect(squatter.api.customHostnames.update({ hostname })).rejects.toMatchObject({
    details: { reason: "hostname_taken" },
  });
  await owner.api.customHostnames.remove({ hostname });
  await squatter.api.customHostnames.update({ hostname });
  expect(await resolve(`http://${hostname}/`)).toMatchObject({ site: squatter.one.siteId });
});

test("DELETE takes the hostname away, once and again; until then it is the site's for the gateway, published or not", async () => {
  const hostname = newName();
  const site = await siteWith({ hostname });
  prove(hostname, site.one);
  await site.api.customHostnames.update({ hostname });
  const lookup = async () => (await service.asService("gateway")).customHostnames.lookup({ hostname });
  await site.api.publishing.unpublish(site.one);
  expect(await lookup()).toEqual({ site: site.one.siteId, organization: "acme" });
  await site.api.customHostnames.remove({ hostname });
  await site.api.customHostnames.remove({ hostname });
  expect(await lookup()).toBeNull();
  expect((await site.api.sites.get(site.one)).hostname).toBeUndefined();
});

test("members see a hostname, those who create change it, and who may not show a space does not prove it", async () => {
  const hostname = newName();
  const { one, space } = await siteWith({ hostname });
  const reader = await service.as({ acme: "read" });
  expect((await reader.customHostnames.get({ hostname })).hostname).toBe(hostname);
  await expect(reader.customHostnames.update({ hostname })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(reader.customHostnames.remove({ hostname })).rejects.toMatchObject({ code: "FORBIDDEN" });
  const outside: Roles[] = [{ beta: "admin" }, { acme: null }];
  for (const roles of outside) {
    const stranger = await service.as(roles);
    await expect(stranger.customHostnames.get({ hostname })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(stranger.customHostnames.update({ hostname })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await stranger.customHostnames.remove({ hostname });
  }
  space.level = "read";
  prove(hostname, one);
  const member = await service.as({ acme: "create" });
  await expect(member.customHostnames.update({ hostname })).rejects.toMatchObject({
    details: { reason: "spaces_not_yours_to_show" },
  });
});

test("a hostname that is malformed, reserved or the platform's is 400", async () => {
  const { api, one } = await siteWith();
  for (const hostname of [
    "example.com",
    "Docs.example.com",
    "docs.example.com:80",
    "https://docs.example.com",
    "10.0.0.12",
    "docs.host.localhost",
    "a.b.local",
    "x.y.internal",
    "docs.octavo.test",
    "-a.example.com",
    "a..b.com",
  ]) {
    const refused = { code: "BAD_REQUEST" };
    await expect(api.sites.update({ ...one, hostname })).rejects.toMatchObject(refused);
  }
  expect((await api.sites.get(one)).hostname).toBeUndefined();
});

test("a proxy of the platform is 400; one that is taken, lies above or below another, or on a proved host is 409", async () => {
  const host = newName();
  await siteWith({ proxy: `${host}/docs/guide` });
  const { api, one } = await siteWith();
  const set = (proxy: string) => api.sites.update({ ...one, proxy });
  await expect(set("octavo.test/docs")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  for (const path of ["docs/guide", "Docs/Guide", "docs", "docs/guide/deep"]) {
    await expect(set(`${host}/${path}`)).rejects.toMatchObject({ details: { reason: "proxy_taken" } });
  }
  for (const path of ["docs/guide2", "docs/guid", "doc"]) {
    expect((await set(`${host}/${path}`)).proxy?.origin).toBe(`${host}/${path}`);
  }
  const proved = newName();
  const owner = await siteWith({ hostname: proved });
  prove(proved, owner.one);
  await owner.api.customHostnames.update({ hostname: proved });
  await expect(set(`${proved}/docs`)).rejects.toMatchObject({ details: { reason: "proxy_taken" } });
});
