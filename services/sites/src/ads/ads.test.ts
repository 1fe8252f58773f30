import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredAds } from "../db/database.js";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const organizationId = "acme";

/** A site, shown to everybody unless a test says otherwise, with what its ads are. */
async function siteWith(ads?: StoredAds, { published = true, visibility = "public" as const } = {}) {
  const api = await service.as({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId });
  const stored = ads && JSON.stringify(ads);
  await service.db
    .updateTable("site")
    .set({ published, visibility, ...(stored && { ads: stored }) })
    .where("id", "=", siteId)
    .execute();
  const one = { organizationId, siteId };
  const shown = async () => (await api.sites.get(one)).ads;
  return { api, one, shown };
}

const LIVE: StoredAds = { status: "live", topic: "webdev", zoneId: "zone-1" };
const conflict = { code: "CONFLICT" };

test("a site that everybody can find asks for ads, and stays in review under the topic that it names", async () => {
  const { api, one, shown } = await siteWith();
  expect(await shown()).toEqual({ status: "pending", submittable: true });
  await api.ads.request({ ...one, status: "in-review", topic: "webdev" });
  expect(await shown()).toEqual({ status: "in-review", topic: "webdev" });
  await api.ads.request({ ...one, topic: "crypto" });
  expect(await shown()).toEqual({ status: "in-review", topic: "crypto" });
  const { actions } = await auditOf(one.siteId);
  expect(actions).toEqual(["site.ads.request", "site.ads.request"]);
  await api.ads.request(one);
  expect((await auditOf(one.siteId)).actions).toHaveLength(2);
  expect((await api.sites.list({ organizationId, limit: 1000 })).items.map(({ ads }) => ads)).toContainEqual({
    status: "in-review",
    topic: "crypto",
  });
});

async function auditOf(site: string) {
  const rows = await service.db.selectFrom("outbox").select(["name", "body"]).orderBy("position").execute();
  const entries = rows
    .filter(({ name }) => name === AuditRecorded.name)
    .map(({ body }) => (body as { payload: { action: string; target: { id: string } } }).payload)
    .filter(({ action, target }) => target.id === site && action === "site.ads.request");
  return { actions: entries.map(({ action }) => action) };
}

test("what is in review and is disabled is pending again, and what was live is disabled with its zone", async () => {
  const asking = await siteWith({ status: "in-review", topic: "crypto" });
  await asking.api.ads.request({ ...asking.one, status: "disabled" });
  expect(await asking.shown()).toEqual({ status: "pending", submittable: true });
  const live = await siteWith(LIVE);
  await live.api.ads.request({ ...live.one, status: "disabled", topic: "crypto" });
  expect(await live.shown()).toEqual({ status: "disabled", topic: "crypto", zoneId: "zone-1" });
  await live.api.ads.request({ ...live.one, topic: "webdev" });
  expect(await live.shown()).toMatchObject({ status: "disabled", topic: "webdev" });
  // Its topic is the one that it had.
  await live.api.ads.request({ ...live.one, status: "in-review" });
  expect(await live.shown()).toEqual({ status: "in-review", topic: "webdev" });
});

test.each<[string, StoredAds | undefined, { status?: "in-review" | "disabled"; topic?: "webdev" }]>([
  ["disabling what nobody asked for", undefined, { status: "disabled" }],
  ["a topic for what nobody asked for", undefined, { topic: "webdev" }],
  ["disabling what was rejected", { status: "rejected", reason: "spam" }, { status: "disabled" }],
  ["a review of what is live", LIVE, { status: "in-review", topic: "webdev" }],
  ["another topic for what is live", LIVE, { topic: "webdev" }],
])("%s is 409, and changes nothing", async (_, ads, wanted) => {
  const { api, one, shown } = await siteWith(ads);
  const before = await shown();
  await expect(api.ads.request({ ...one, ...wanted })).rejects.toMatchObject(conflict);
  expect(await shown()).toEqual(before);
});

test("what was rejected can be asked for again, with a topic", async () => {
  const { api, one, shown } = await siteWith({ status: "rejected", reason: "spam" });
  expect(await shown()).toEqual({ status: "rejected", reason: "spam" });
  const without = api.ads.request({ ...one, status: "in-review" });
  await expect(without).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await api.ads.request({ ...one, status: "in-review", topic: "webdev" });
  expect(await shown()).toEqual({ status: "in-review", topic: "webdev" });
});

test("a site that is not published, or not for everybody, cannot ask for ads: 409", async () => {
  for (const over of [{ published: false }, { visibility: "unlisted" as "public" }]) {
    const { api, one, shown } = await siteWith(undefined, over);
    expect(await shown()).toEqual({ status: "pending", submittable: false });
    const asked = api.ads.request({ ...one, status: "in-review", topic: "webdev" });
    await expect(asked).rejects.toMatchObject(conflict);
  }
});

test("ads are for who may create in the organization: 403, strangers 404, and nobody makes them live", async () => {
  const { api, one } = await siteWith();
  const wanted = { ...one, status: "in-review" as const, topic: "webdev" as const };
  const editor = await service.as({ acme: "edit" });
  await expect(editor.ads.request(wanted)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const stranger = await service.as({ beta: "admin" });
  await expect(stranger.ads.request(wanted)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const live = api.ads.request({ ...wanted, status: "live" as "in-review" });
  await expect(live).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
