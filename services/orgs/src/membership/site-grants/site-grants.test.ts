import { SiteChanged, SiteDeleted } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, expect, test } from "vitest";
import { subscriptions } from "../../subscriptions.js";
import { startOrgs } from "../../testing/orgs.js";
import type { Ctx } from "../../trpc.js";

const { db, rows, as, end } = await startOrgs();
afterAll(end);

/** An organization that has a site. */
async function withSite() {
  const organization = await rows.organization();
  const site = newId("site");
  const payload = { site, organization, visibility: "public" };
  await deliver({ db } as Ctx, subscriptions, SiteChanged, site, payload);
  return { organization, site, path: `/v1/orgs/${organization}/sites/${site}/permissions/aggregate` };
}

test("GET …/sites/{siteId}/permissions/aggregate lists the members with their roles, page by page, and no guests", async () => {
  const { organization, path } = await withSite();
  const roles = ["admin", "create", "read", "comment"] as const;
  const people: string[] = [];
  for (const [index, role] of roles.entries())
    people.push(await rows.member({ organization, role, joined_at: `2026-01-0${index + 1}T00:00:00.000Z` }));
  await rows.member({ organization, role: null });
  await rows.member({ organization: (await withSite()).organization, role: "admin" });
  const ada = await as({ [organization]: "read" });
  const first = await ada.send("GET", `${path}?limit=3`);
  const rest = await ada.send("GET", `${path}?limit=3&page=${first.body.next.page}`);
  expect([first.status, rest.status, first.body.count, rest.body.next]).toEqual([200, 200, 5, undefined]);
  const items: { user: { id: string }; permission: string; origin: object }[] = [
    ...first.body.items,
    ...rest.body.items,
  ];
  expect(items.map(({ user, permission }) => [user.id, permission])).toEqual([
    ...people.map((id, index) => [id, roles[index]]),
    [ada.id, "read"],
  ]);
  expect(items[0]!.origin).toEqual({ type: "organization", organization });
});

test("GET …/sites/{siteId}/permissions/aggregate is 404 for strangers and other sites, 403 for guests", async () => {
  const { organization, site, path } = await withSite();
  const other = await withSite();
  const ada = await as({ [organization]: "admin" });
  const elsewhere = `/v1/orgs/${organization}/sites/${other.site}/permissions/aggregate`;
  expect((await ada.send("GET", elsewhere)).status).toBe(404);
  expect((await (await as({ [other.organization]: "admin" })).send("GET", path)).status).toBe(404);
  expect((await (await as({ [organization]: null })).send("GET", path)).status).toBe(403);
  expect((await ada.send("GET", `${path}?page=nonsense`)).status).toBe(400);
  expect((await ada.send("GET", path)).status).toBe(200);
  await deliver({ db } as Ctx, subscriptions, SiteDeleted, site, { site, organization });
  expect((await ada.send("GET", path)).status).toBe(404);
});
