import { SiteAudience, SitePinned } from "@octavo/shared/contracts/events/sites";
import { describe } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const refusal = async (promise: Promise<unknown>) => {
  const { code, details } = describe(await promise.catch((error: unknown) => error));
  return [code, details.reason ?? details.issues?.[0]?.path];
};

/** A published site of two spaces at their first revisions. */
async function published() {
  const api = await service.as({ acme: "create" });
  const space = (title: string) =>
    service.content.space({ organization: "acme", title, revision: `${title}-1` });
  const spaces = [space("Guide"), space("API")];
  const site = await api.sites.create({ organizationId: "acme", spaces: spaces.map(({ id }) => id) });
  const one = { organizationId: "acme", siteId: site.id };
  const { urls } = await api.publishing.publish(one);
  const release = (title: string, pin = false) => api.releases.create({ ...one, title, pin });
  const shown = async (path = "") =>
    api.urls.resolvePublished({ url: `${urls.published}${path}`, redirectOnError: false });
  const revision = async (path = "") => {
    const at = await shown(path);
    return "revision" in at ? at.revision : undefined;
  };
  /** The revisions in the last audience event of the site. */
  const shownRevisions = async () => {
    const all = await service.emitted(SiteAudience);
    return all.findLast(({ site }) => site === one.siteId)!.spaces.map(({ revision }) => revision);
  };
  /** Publishes new content in all spaces. */
  const write = (number: number) => {
    for (const row of spaces) row.revision = `${row.title}-${number}`;
  };
  return { api, spaces, one, release, shown, revision, shownRevisions, write };
}

test("POST …/releases records the revisions of all spaces, and shows readers nothing else until it is pinned", async () => {
  const { api, one, spaces, release, revision, shownRevisions, write } = await published();
  const before = service.content.asked.length;
  const made = await release("Spring");
  expect(service.content.asked.length - before).toBe(1);
  expect(made).toMatchObject({ object: "site-release", title: "Spring", pinned: false, spaces: 2 });
  write(2);
  const got = await api.releases.get({ ...one, siteReleaseId: made.id });
  expect(got.revisions).toEqual(
    spaces
      .map(({ id, title }) => ({ space: id, revision: `${title}-1` }))
      .toSorted((a, b) => (a.space < b.space ? -1 : 1)),
  );
  expect([await revision(), await shownRevisions()]).toEqual(["Guide-2", [undefined, undefined]]);
});

test("POST …/pin shows the revisions of a release at every address and in the profile, unpin the current ones again", async () => {
  const { api, one, release, revision, shownRevisions, write } = await published();
  const { id: siteReleaseId } = await release("Spring");
  write(2);
  expect((await api.releases.pin({ ...one, siteReleaseId })).pinned).toBe(true);
  write(3);
  expect([await revision(), await revision("api/")]).toEqual(["Guide-1", "API-1"]);
  expect(await shownRevisions()).toEqual(["Guide-1", "API-1"]);
  const { structure } = await api.publishing.getPublished(one);
  expect(JSON.stringify(structure)).toMatch(/Guide-1.*API-1/);
  const { items } = await api.siteSpaces.list(one);
  expect(items.map(({ space }) => space.revision)).toEqual(["Guide-3", "API-3"]);
  await api.releases.unpin(one);
  expect([await revision(), await shownRevisions()]).toEqual(["Guide-3", [undefined, undefined]]);
});

test("a renderer lists the spaces of a pinned site at the revisions of the release", async () => {
  const { one, release, shown, write } = await published();
  await release("Spring", true);
  write(2);
  const at = await shown();
  if (!("apiToken" in at)) throw new Error("nothing is published there");
  const { space, revision } = at;
  const reader = await service.call(
    { kind: "reader", organization: "acme", site: one.siteId, epoch: 1, space, revision, token: "t" },
    {},
  );
  const { items } = await reader.siteSpaces.list(one);
  expect(items.map(({ space }) => space.revision)).toEqual(["Guide-1", "API-1"]);
});

test("what renderers read with ends when a release is pinned or taken back, and goes on when none is", async () => {
  const { api, one, release } = await published();
  const epoch = async () => {
    const row = service.db.selectFrom("site").select("audience_epoch").where("id", "=", one.siteId);
    return (await row.executeTakeFirstOrThrow()).audience_epoch;
  };
  await release("First", true);
  await release("Second", true);
  expect(await epoch()).toBe(2);
  await api.releases.rollback(one);
  expect(await epoch()).toBe(3);
  await api.releases.unpin(one);
  expect(await epoch()).toBe(3);
});

test("POST …/rollback goes back to what readers were shown before, one step at a time, and skips what was taken back", async () => {
  const { api, one, release, revision, write } = await published();
  const first = await release("First", true);
  write(2);
  await release("Second", true);
  write(3);
  expect((await api.releases.rollback(one)).id).toBe(first.id);
  expect(await revision()).toBe("Guide-1");
  const third = await release("Third", true);
  expect(await revision()).toBe("Guide-3");
  expect((await api.releases.rollback(one)).id).toBe(first.id);
  expect(await refusal(api.releases.rollback(one))).toEqual(["CONFLICT", "no_earlier_release"]);
  expect(await revision()).toBe("Guide-1");
  await api.releases.pin({ ...one, siteReleaseId: third.id });
  await api.releases.unpin(one);
  expect((await api.releases.rollback(one)).id).toBe(third.id);
});

test("a rollback of a site that never showed a release is 409", async () => {
  const { api, one, release } = await published();
  await release("First");
  expect(await refusal(api.releases.rollback(one))).toEqual(["CONFLICT", "no_earlier_release"]);
});

test("clients that pin at the same time leave one release pinned, and a rollback for each step", async () => {
  const { api, one, release } = await published();
  const made = await Promise.all(Array.from({ length: 8 }, (_, at) => release(`R${at}x`, true)));
  const { items } = await api.releases.list({ ...one, limit: 50 });
  expect(items.filter(({ pinned }) => pinned)).toHaveLength(1);
  const seen = new Set([items.find(({ pinned }) => pinned)!.id]);
  for (let step = 1; step < made.length; step += 1) seen.add((await api.releases.rollback(one)).id);
  expect(seen).toEqual(new Set(made.map(({ id }) => id)));
  expect(await refusal(api.releases.rollback(one))).toEqual(["CONFLICT", "no_earlier_release"]);
});

test("a space that is added to a pinned site is shown with its current content until a release holds it", async () => {
  const { api, one, release, shownRevisions, revision } = await published();
  await release("First", true);
  const added = service.content.space({ organization: "acme", title: "New", revision: "New-1" });
  await api.siteSpaces.add({ ...one, spaceId: added.id });
  added.revision = "New-2";
  expect(await shownRevisions()).toEqual(["Guide-1", "API-1", undefined]);
  expect(await revision("new/")).toBe("New-2");
  await release("Second", true);
  added.revision = "New-3";
  expect(await revision("new/")).toBe("New-2");
});

test("GET …/releases lists the newest first, PATCH renames, DELETE takes all but the pinned one", async () => {
  const { api, one, release } = await published();
  const first = await release("First");
  const second = await release("Second", true);
  const { items, count } = await api.releases.list({ ...one, limit: 50 });
  expect([items.map(({ title, pinned }) => [title, pinned]), count]).toEqual([
    [
      ["Second", true],
      ["First", false],
    ],
    2,
  ]);
  expect(await api.releases.list({ ...one, limit: 1 })).toMatchObject({ items: [{ id: second.id }] });
  const named = { ...one, siteReleaseId: second.id };
  expect((await api.releases.update({ ...named, title: "Summer" })).title).toBe("Summer");
  expect((await api.releases.update(named)).title).toBe("Summer");
  expect(await refusal(api.releases.remove(named))).toEqual(["CONFLICT", "release_pinned"]);
  await api.releases.remove({ ...one, siteReleaseId: first.id });
  await api.releases.remove({ ...one, siteReleaseId: first.id });
  expect((await api.releases.list({ ...one, limit: 50 })).count).toBe(1);
});

test("releases are refused to who may not publish, and pins to who may not decide who sees a space", async () => {
  const { api, one, spaces, release, revision, write } = await published();
  const { id: siteReleaseId } = await release("First");
  const named = { ...one, siteReleaseId };
  for (const [roles, code] of [
    [{ acme: "review" }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
  ] as const) {
    const caller = await service.as(roles);
    for (const call of [
      () => caller.releases.create({ ...one, title: "Mine", pin: false }),
      () => caller.releases.update({ ...named, title: "Mine" }),
      () => caller.releases.remove(named),
      () => caller.releases.pin(named),
      () => caller.releases.unpin(one),
      () => caller.releases.rollback(one),
    ])
      expect((await refusal(call()))[0]).toBe(code);
  }
  spaces[1]!.level = "edit";
  write(2);
  for (const call of [
    () => api.releases.pin(named),
    () => api.releases.create({ ...one, title: "Mine", pin: true }),
    () => api.releases.unpin(one),
    () => api.releases.rollback(one),
  ])
    expect(await refusal(call())).toEqual(["FORBIDDEN", "spaces_not_yours_to_show"]);
  expect((await release("Not pinned")).spaces).toBe(2);
  expect(await revision()).toBe("Guide-2");
});

test("a release is of its site, and shows revisions of the spaces that the caller may read alone", async () => {
  const { api, one, spaces, release } = await published();
  const { id: siteReleaseId } = await release("First");
  const other = await published();
  const elsewhere = { ...other.one, siteReleaseId };
  for (const call of [
    () => api.releases.get(elsewhere),
    () => api.releases.pin(elsewhere),
    () => api.releases.update({ ...elsewhere, title: "Mine" }),
  ])
    expect((await refusal(call()))[0]).toBe("NOT_FOUND");
  await api.releases.remove(elsewhere);
  spaces[1]!.level = null;
  const { revisions } = await api.releases.get({ ...one, siteReleaseId });
  expect(revisions.map(({ space }) => space)).toEqual([spaces[0]!.id]);
});

test("a site without a space has no release, and every pin is published once", async () => {
  const api = await service.as({ acme: "create" });
  const empty = await api.sites.create({ organizationId: "acme" });
  const at = { organizationId: "acme", siteId: empty.id };
  expect(await refusal(api.releases.create({ ...at, title: "None", pin: false }))).toEqual([
    "BAD_REQUEST",
    "site_empty",
  ]);
  const { one, release } = await published();
  const { id } = await release("First", true);
  await api.releases.pin({ ...one, siteReleaseId: id });
  await api.releases.unpin(one);
  await api.releases.unpin(one);
  const pinned = (await service.emitted(SitePinned)).filter(({ site }) => site === one.siteId);
  expect(pinned.map(({ release, before }) => [release, before])).toEqual([
    [id, null],
    [null, id],
  ]);
});
