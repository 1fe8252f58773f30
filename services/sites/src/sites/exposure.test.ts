import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

/** A site that shows an open and a closed space, as a member who may create finds it. */
async function guarded() {
  const admin = await service.as({ acme: "admin" });
  const open = service.content.space({ organization: "acme", title: "Open" });
  const closed = service.content.space({ organization: "acme", title: "Closed", level: null });
  const spaces = [open.id, closed.id];
  const site = await admin.sites.create({ organizationId: "acme", visibility: "share-link", spaces });
  const one = { organizationId: "acme", siteId: site.id };
  const [first, second] = (await admin.siteSpaces.list(one)).items;
  const audienceCount = async () =>
    (await service.emitted(SiteAudience)).filter(({ site: id }) => id === site.id).length;
  return {
    admin,
    open,
    closed,
    one,
    first: first!,
    second: second!,
    audienceCount,
    member: await service.as({ acme: "create" }),
  };
}
type Guarded = Awaited<ReturnType<typeof guarded>>;

const widening: [string, (of: Guarded) => Promise<unknown>][] = [
  ["publishing", ({ member, one }) => member.publishing.publish(one)],
  ["a wider visibility", ({ member, one }) => member.sites.update({ ...one, visibility: "unlisted" })],
  [
    "another name",
    ({ member, one }) => member.sites.update({ ...one, basename: `docs-${one.siteId.slice(5)}` }),
  ],
  ["a foreign address", ({ member, one }) => member.sites.update({ ...one, proxy: "example.com/docs" })],
  ["another root", ({ member, one, second }) => member.sites.update({ ...one, defaultSiteSpace: second.id })],
  ["the key that lets visitors in", ({ member, one }) => member.publishingAuth.get(one)],
  [
    "who signs for visitors",
    ({ member, one }) => member.publishingAuth.update({ ...one, backend: "integration" }),
  ],
  ["a new key", ({ member, one }) => member.publishingAuth.regenerate(one)],
];

test.each(widening)(
  "%s takes the right to show each space, and reveals nothing of those that one may not read",
  async (_, widen) => {
    const site = await guarded();
    const before = await site.audienceCount();
    await expect(widen(site)).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: "siteSpaces: 1 space needs the role create",
      details: { reason: "spaces_not_yours_to_show", issues: [{ path: "siteSpaces" }] },
    });
    site.closed.level = "read";
    await expect(widen(site)).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: `siteSpaces.${site.second.id}: needs the role create on the space ${site.closed.id}`,
    });
    expect(await site.audienceCount()).toBe(before);
    expect(await site.admin.sites.get(site.one)).toMatchObject({
      published: false,
      visibility: "share-link",
    });
    site.closed.level = "create";
    await widen(site);
  },
);

test("what shows a site to fewer people, or to as many as before, takes the role in the organization alone", async () => {
  const { admin, member, one } = await guarded();
  await admin.publishing.publish(one);
  expect((await member.publishing.publish(one)).published).toBe(true);
  expect(await member.sites.update({ ...one, title: "Same" })).toMatchObject({ title: "Same" });
  const narrower = { title: "Narrower", visibility: "visitor-auth", proxy: null } as const;
  expect(await member.sites.update({ ...one, ...narrower })).toMatchObject({ title: "Narrower" });
  await expect(member.sites.update({ ...one, visibility: "share-link" })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  expect((await member.publishing.unpublish(one)).published).toBe(false);
  await member.sites.remove(one);
});

test("a space in the trash, which comes back to its site, counts like those that are shown", async () => {
  const { member, closed, one } = await guarded();
  closed.deleted = true;
  await expect(member.publishing.publish(one)).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "siteSpaces: 1 space needs the role create",
  });
});

test("of many spaces a refusal names twenty, and counts the others", async () => {
  const admin = await service.as({ acme: "admin" });
  const spaces = Array.from(
    { length: 25 },
    () => service.content.space({ organization: "acme", level: "read" }).id,
  );
  const { id: siteId } = await admin.sites.create({ organizationId: "acme", spaces });
  const member = await service.as({ acme: "create" });
  const refused = await member.publishing.publish({ organizationId: "acme", siteId }).catch((error) => error);
  expect(refused.details.issues).toHaveLength(21);
  expect(refused.details.issues.at(-1)).toEqual({
    path: "siteSpaces",
    message: "5 more spaces need the role create",
  });
});
