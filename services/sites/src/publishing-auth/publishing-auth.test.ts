import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { keyOfSite, SiteAudience, SiteChanged } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import { up } from "../migrations/0003-told-sites.js";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function newSite() {
  const api = await service.as({ acme: "create" });
  const { id } = await api.sites.create({ organizationId: "acme" });
  return { api, one: { organizationId: "acme", siteId: id } };
}

const siteEvents = async (siteId: string) =>
  (await service.emitted(SiteChanged)).filter(({ site }) => site === siteId);

test("GET …/publishing/auth returns the key of the site, which is there from then on and stored sealed", async () => {
  const { api, one } = await newSite();
  const read = await Promise.all([1, 2, 3].map(() => api.publishingAuth.get(one)));
  const [auth] = read;
  expect(auth).toEqual({ object: "publishing-auth", backend: "custom", privateKey: auth!.privateKey });
  expect(auth!.privateKey).toMatch(/^[\w-]{43}$/);
  expect(new Set(read.map(({ privateKey }) => privateKey)).size).toBe(1);
  const { one: other } = await newSite();
  expect((await api.publishingAuth.get(other)).privateKey).not.toBe(auth!.privateKey);
  const events = await siteEvents(one.siteId);
  const site = { site: one.siteId, organization: "acme", visibility: "public" };
  expect(events).toEqual([site, { ...site, auth: { backend: "custom", privateKey: expect.any(String) } }]);
  expect(service.vault.open(events[1]!.auth!.privateKey, keyOfSite(one.siteId, "acme"))).toBe(
    auth!.privateKey,
  );
  const everywhere = JSON.stringify([
    await service.db.selectFrom("publishing_auth").selectAll().execute(),
    await service.db.selectFrom("outbox").selectAll().execute(),
  ]);
  expect(everywhere).not.toContain(auth!.privateKey);
});

test("PATCH …/publishing/auth names the backend and where visitors go without a token; null takes that back", async () => {
  const { api, one } = await newSite();
  const { privateKey } = await api.publishingAuth.get(one);
  const fallbackURL = "https://login.example.com/start?app=docs";
  const auth = { object: "publishing-auth", privateKey };
  expect(await api.publishingAuth.update({ ...one, backend: "custom", fallbackURL })).toEqual({
    ...auth,
    backend: "custom",
    fallbackURL,
  });
  expect(await api.publishingAuth.update({ ...one, backend: "integration" })).toEqual({
    ...auth,
    backend: "integration",
    fallbackURL,
  });
  const emptied = await api.publishingAuth.update({ ...one, backend: "custom", fallbackURL: null });
  expect(emptied).toEqual({ ...auth, backend: "custom" });
  expect(await api.publishingAuth.get(one)).toEqual(emptied);
  const { one: fresh } = await newSite();
  const made = await api.publishingAuth.update({ ...fresh, backend: "integration" });
  expect(await api.publishingAuth.get(fresh)).toEqual(made);
});

test("PATCH …/publishing/auth refuses other backends and addresses, and changes nothing", async () => {
  const { api, one } = await newSite();
  const before = await api.publishingAuth.get(one);
  const wrong = [
    {},
    { backend: "none" },
    { backend: "custom", fallbackURL: "javascript:alert(1)" },
    { backend: "custom", fallbackURL: "nowhere" },
    { backend: "integration", fallbackURL: "https://login.example.com/?location=/" },
  ];
  for (const body of wrong) {
    await expect(api.publishingAuth.update({ ...one, ...body } as never)).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  }
  expect(await api.publishingAuth.get(one)).toEqual(before);
});

test("POST …/publishing/auth/regenerate makes a new key, publishes an event, and keeps the rest", async () => {
  const { api, one } = await newSite();
  const before = await api.publishingAuth.update({ ...one, backend: "integration" });
  const after = await api.publishingAuth.regenerate(one);
  expect(after).toEqual({ ...before, privateKey: after.privateKey });
  expect(after.privateKey).not.toBe(before.privateKey);
  expect(await api.publishingAuth.get(one)).toEqual(after);
  const events = await siteEvents(one.siteId);
  const keys = events.map(
    ({ auth }) => auth && [auth.backend, service.vault.open(auth.privateKey, keyOfSite(one.siteId, "acme"))],
  );
  expect(keys).toEqual([
    undefined,
    ["custom", before.privateKey],
    ["integration", before.privateKey],
    ["integration", after.privateKey],
  ]);
  await api.sites.update({ ...one, visibility: "visitor-auth" });
  const { visibility, auth } = (await siteEvents(one.siteId)).at(-1)!;
  expect([visibility, auth]).toEqual(["visitor-auth", events.at(-1)!.auth]);
  const records = (await service.emitted(AuditRecorded)).filter(({ target }) => target.id === one.siteId);
  expect(records.map(({ action }) => action)).toEqual([
    "site.create",
    "site.auth.create",
    "site.auth.update",
    "site.auth.regenerate",
    "site.update",
  ]);
});

test("the audience event of a site with visitor authentication has its backend", async () => {
  const api = await service.as({ acme: "create" });
  const space = service.content.space({ organization: "acme", title: "A" });
  const { id } = await api.sites.create({ organizationId: "acme", spaces: [space.id] });
  const one = { organizationId: "acme", siteId: id };
  await api.publishing.publish(one);
  await api.publishingAuth.update({ ...one, backend: "integration" });
  const backends = async () =>
    (await service.emitted(SiteAudience))
      .filter(({ site }) => site === id)
      .map(({ visitorAuth }) => visitorAuth?.backend);
  expect(await backends()).toEqual([undefined, undefined]);
  await api.sites.update({ ...one, visibility: "visitor-auth" });
  await api.publishingAuth.update({ ...one, backend: "integration" });
  await api.publishingAuth.regenerate(one);
  await api.publishingAuth.update({ ...one, backend: "custom" });
  await api.sites.update({ ...one, visibility: "public" });
  expect((await backends()).slice(2)).toEqual(["integration", "integration", "custom", undefined]);
  const { one: fresh } = await newSite();
  await api.sites.update({ ...fresh, visibility: "visitor-auth" });
  const [audience] = (await service.emitted(SiteAudience)).filter(({ site }) => site === fresh.siteId);
  expect(audience!.visitorAuth).toEqual({ backend: "custom" });
});

test("…/publishing/auth is for those who may publish the site", async () => {
  const { one } = await newSite();
  for (const [roles, code] of [
    [{ acme: "review" }, "FORBIDDEN"],
    [{ acme: null }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
  ] as const) {
    const { publishingAuth } = await service.as(roles);
    await expect(publishingAuth.get(one)).rejects.toMatchObject({ code });
    await expect(publishingAuth.update({ ...one, backend: "custom" })).rejects.toMatchObject({ code });
    await expect(publishingAuth.regenerate(one)).rejects.toMatchObject({ code });
  }
  const { publishingAuth } = await service.as({ acme: "admin" });
  const unknown = { ...one, siteId: "site_x" };
  await expect(publishingAuth.get(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await siteEvents(one.siteId)).toEqual([
    { site: one.siteId, organization: "acme", visibility: "public" },
  ]);
});

test("existing sites are published once, by the migration, as they would be now", async () => {
  const [{ api, one }, { one: other }] = [await newSite(), await newSite()];
  await api.publishingAuth.update({ ...one, backend: "integration" });
  const before = [(await siteEvents(one.siteId)).at(-1), (await siteEvents(other.siteId)).at(-1)];
  await service.db.deleteFrom("outbox").execute();
  await service.db.transaction().execute((db) => up(db as never));
  expect([...(await siteEvents(one.siteId)), ...(await siteEvents(other.siteId))]).toEqual(before);
});
