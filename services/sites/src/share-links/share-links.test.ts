import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { hashOfShareKey } from "@octavo/shared/contracts/share-keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admit } from "../audience/admit.js";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function shared({ published = true } = {}) {
  const api = await service.as({ acme: "create" });
  const spaces = ["Guide", "Version 2"].map((title) =>
    service.content.space({ organization: "acme", title }),
  );
  const site = await api.sites.create({
    organizationId: "acme",
    visibility: "share-link",
    spaces: spaces.map(({ id }) => id),
  });
  const one = { organizationId: "acme", siteId: site.id };
  if (published) await api.publishing.publish(one);
  const link = async (name = "Press") => {
    const made = await api.shareLinks.create({ ...one, name });
    return { ...made, key: made.urls.published?.split("/").at(-2) ?? "" };
  };
  return { api, one, spaces, link, root: `http://octavo.test/sites/${site.id}/` };
}

/** Whether somebody is let in at an address. */
const visit = async ({ siteId }: { siteId: string }, ...path: string[]) => {
  const ctx = service.contextOf(service.self);
  const site = (await sites.find(ctx, "acme", siteId))!;
  return (await admit(ctx, site, { path, redirectOnError: false })) === undefined ? "hidden" : "admitted";
};

test("POST …/share-links creates an active link whose key stands in the address, and is kept sealed and hashed", async () => {
  const { api, one, link, root } = await shared();
  const made = await link();
  expect(made).toMatchObject({ object: "share-link", name: "Press", active: true });
  expect(made.urls.published).toBe(`${root}${made.key}/`);
  expect(made.key).toMatch(/^[0-9a-f]{40}$/);
  const other = await link("Partners");
  expect(other.key).not.toBe(made.key);
  const { items, count } = await api.shareLinks.list(one);
  expect([items.map(({ name }) => name), count]).toEqual([["Press", "Partners"], 2]);
  expect(items[0]!.urls).toEqual(made.urls);
  const everywhere = JSON.stringify([
    await service.db.selectFrom("share_link").selectAll().execute(),
    await service.db.selectFrom("outbox").selectAll().execute(),
  ]);
  expect(everywhere).not.toContain(made.key);
});

test("GET …/share-links is paged, and shows no address of a site that is not published", async () => {
  const { api, one, link } = await shared({ published: false });
  for (const name of ["One", "Two", "Three"]) expect((await link(name)).urls).toEqual({});
  const first = await api.shareLinks.list({ ...one, limit: 2 });
  const rest = await api.shareLinks.list({ ...one, limit: 2, page: first.next!.page });
  expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(["One", "Two", "Three"]);
  expect([first.count, rest.count, rest.next]).toEqual([3, 3, undefined]);
});

test("a link that is deactivated or deleted opens nothing from then on, and its key nothing elsewhere", async () => {
  const { api, one, link } = await shared();
  const { one: other, link: linkOfOther } = await shared();
  const [kept, fallen] = [await link("Kept"), await link("Fallen")];
  const foreign = await linkOfOther();
  expect(await visit(one)).toBe("hidden");
  expect(await visit(one, kept.key)).toBe("admitted");
  expect(await visit(one, kept.key.toUpperCase())).toBe("admitted");
  for (const key of [foreign.key, "", "x", kept.key.slice(1), `${kept.key}0`, kept.id])
    expect(await visit(one, key)).toBe("hidden");
  expect(await visit(other, kept.key)).toBe("hidden");

  const off = await api.shareLinks.update({ ...one, shareLinkId: kept.id, active: false });
  expect(off).toMatchObject({ active: false, name: "Kept", urls: {} });
  expect(await visit(one, kept.key)).toBe("hidden");
  await api.shareLinks.update({ ...one, shareLinkId: kept.id, name: "Renamed" });
  expect(await visit(one, kept.key)).toBe("hidden");
  const on = await api.shareLinks.update({ ...one, shareLinkId: kept.id, active: true });
  expect(on).toMatchObject({ active: true, name: "Renamed", urls: kept.urls });
  expect(await visit(one, kept.key)).toBe("admitted");

  await api.shareLinks.remove({ ...one, shareLinkId: fallen.id });
  await api.shareLinks.remove({ ...one, shareLinkId: fallen.id });
  expect(await visit(one, fallen.key)).toBe("hidden");
  await expect(api.shareLinks.update({ ...one, shareLinkId: fallen.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "Share link: not found",
  });
  expect((await api.shareLinks.list(one)).count).toBe(1);
});

test("a link of one site can neither be changed nor deleted through another", async () => {
  const [{ api, one, link }, { one: other }] = [await shared(), await shared()];
  const { id: shareLinkId, key } = await link();
  await expect(api.shareLinks.update({ ...other, shareLinkId, active: false })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await api.shareLinks.remove({ ...other, shareLinkId });
  expect(await visit(one, key)).toBe("admitted");
});

test("the key of an active link stands in published addresses, and changes nothing else", async () => {
  const { api, one, link, root } = await shared();
  const [{ key }, { key: over, id: shareLinkId }] = [await link(), await link()];
  await api.shareLinks.update({ ...one, shareLinkId, active: false });
  const plain = await api.siteSpaces.list(one);
  const keyed = await api.siteSpaces.list({ ...one, shareKey: key });
  expect(keyed.items.map(({ urls }) => urls.published)).toEqual([
    `${root}${key}/`,
    `${root}${key}/version-2/`,
  ]);
  // The content service that stands in returns another revision each time.
  const withoutRevisions = (value: object) => JSON.stringify(value).replaceAll(/"revision":"\w+"/g, "");
  expect(withoutRevisions(keyed).replaceAll(`${key}/`, "")).toBe(withoutRevisions(plain));
  for (const shareKey of [over, "unknown", "../x"])
    expect(withoutRevisions(await api.siteSpaces.list({ ...one, shareKey }))).toBe(withoutRevisions(plain));
  const profile = await api.publishing.getPublished({ ...one, shareKey: key });
  expect(profile.site.urls.published).toBe(`${root}${key}/`);
  expect(withoutRevisions(profile).replaceAll(`${key}/`, "")).toBe(
    withoutRevisions(await api.publishing.getPublished(one)),
  );
});

test("share links show spaces to more people: they are for who may decide that, but anybody may take them back", async () => {
  const admin = await service.as({ acme: "admin" });
  const closed = service.content.space({ organization: "acme", title: "Closed", level: null });
  const { id: siteId } = await admin.sites.create({
    organizationId: "acme",
    visibility: "share-link",
    spaces: [closed.id],
  });
  const one = { organizationId: "acme", siteId };
  await admin.publishing.publish(one);
  const { id: shareLinkId, urls } = await admin.shareLinks.create({ ...one, name: "Press" });
  const key = urls.published!.split("/").at(-2)!;
  const member = await service.as({ acme: "create" });
  const refused = { code: "FORBIDDEN", details: { reason: "spaces_not_yours_to_show" } };
  await expect(member.shareLinks.create({ ...one, name: "Mine" })).rejects.toMatchObject(refused);
  await expect(member.shareLinks.list(one)).rejects.toMatchObject(refused);
  await expect(member.shareLinks.update({ ...one, shareLinkId, name: "Mine" })).rejects.toMatchObject(
    refused,
  );
  const off = await member.shareLinks.update({ ...one, shareLinkId, active: false });
  expect(off.urls).toEqual({});
  expect(await visit(one, key)).toBe("hidden");
  await expect(member.shareLinks.update({ ...one, shareLinkId, active: true })).rejects.toMatchObject(
    refused,
  );
  await member.shareLinks.update({ ...one, shareLinkId, name: "Old" });
  await member.shareLinks.remove({ ...one, shareLinkId });
  expect((await admin.shareLinks.list(one)).count).toBe(0);
});

test("share links are refused to readers, guests and strangers, and for sites that are not there", async () => {
  const { api, one, link } = await shared();
  const { id: shareLinkId } = await link();
  for (const [roles, code] of [
    [{ acme: "review" }, "FORBIDDEN"],
    [{ acme: null }, "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND"],
  ] as const) {
    const { shareLinks } = await service.as(roles);
    await expect(shareLinks.list(one)).rejects.toMatchObject({ code });
    await expect(shareLinks.create({ ...one, name: "Mine" })).rejects.toMatchObject({ code });
    await expect(shareLinks.update({ ...one, shareLinkId, active: false })).rejects.toMatchObject({ code });
    await expect(shareLinks.remove({ ...one, shareLinkId })).rejects.toMatchObject({ code });
  }
  const unknown = { ...one, siteId: "site_x" };
  await expect(api.shareLinks.list(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(api.shareLinks.create({ ...unknown, name: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(api.shareLinks.create({ ...one, name: "x".repeat(51) })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect((await api.shareLinks.list(one)).count).toBe(1);
});

test("a site has a thousand share links at most", async () => {
  const { api, one, link } = await shared();
  const { id } = await link();
  const row = await service.db
    .selectFrom("share_link")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const many = Array.from({ length: 999 }, (_, index) => ({
    ...row,
    id: `l${index}`,
    key_hash: `h${index}`,
  }));
  await service.db.insertInto("share_link").values(many).execute();
  await expect(api.shareLinks.create({ ...one, name: "One more" })).rejects.toMatchObject({
    code: "CONFLICT",
    details: { reason: "too_many_share_links" },
  });
  await api.shareLinks.remove({ ...one, shareLinkId: id });
  expect((await api.shareLinks.create({ ...one, name: "One more" })).active).toBe(true);
});

test("a site publishes which keys open it, as hashes, at every change of them", async () => {
  const { api, one, link, root } = await shared();
  const publishedLinks = async () =>
    (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).at(-1)!.shareLinks;
  expect(await publishedLinks()).toBeUndefined();
  const { id: shareLinkId, key } = await link();
  expect(await publishedLinks()).toEqual({ root, keys: [hashOfShareKey(key)] });
  await api.shareLinks.update({ ...one, shareLinkId, active: false });
  expect(await publishedLinks()).toBeUndefined();
  await api.shareLinks.update({ ...one, shareLinkId, active: true });
  expect((await publishedLinks())?.keys).toHaveLength(1);
  await api.shareLinks.remove({ ...one, shareLinkId });
  expect(await publishedLinks()).toBeUndefined();
});
