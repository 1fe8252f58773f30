import type { Caller } from "@octavo/shared/contracts/callers";
import { type Roles, userWith } from "@octavo/shared/testing/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";
import { loadSite, lockSite, lockSiteIfAny } from "./load-site.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function published() {
  const api = await service.as({ acme: "create" });
  const { id: space } = service.content.space({ organization: "acme" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme", spaces: [space] });
  const one = { organizationId: "acme", siteId };
  await api.publishing.publish(one);
  const epoch = await sites.epochOf(service.contextOf(service.self), siteId);
  return { api, one, space, epoch };
}
type Published = Awaited<ReturnType<typeof published>>;

/** Loads a site as a visitor of one, who was let in at an epoch. */
function visiting(
  { one, space, epoch }: Published,
  given: { epoch?: number; organization?: string; preview?: true } = {},
) {
  const caller: Caller = {
    kind: "reader",
    organization: "acme",
    site: one.siteId,
    space,
    revision: "r",
    token: "t",
    epoch,
    ...given,
  };
  const ctx = service.contextOf(caller);
  return (input = one) => loadSite(ctx, input, "site.view");
}

test("a visitor views the site that the token is for, and no other, whatever organization is named", async () => {
  const [own, other] = [await published(), await published()];
  expect(await visiting(own)()).toMatchObject({ id: own.one.siteId });
  const missing = { code: "NOT_FOUND", message: "Site: not found" };
  await expect(visiting(own)(other.one)).rejects.toMatchObject(missing);
  await expect(visiting(own)({ ...own.one, organizationId: "beta" })).rejects.toMatchObject(missing);
  await expect(visiting(own, { organization: "beta" })()).rejects.toMatchObject(missing);
  const beta = { organization: "beta" };
  await expect(visiting(own, beta)({ ...own.one, organizationId: "beta" })).rejects.toMatchObject(missing);
});

test("a visitor of before the audience was narrowed is 401, one of then is not, and nobody views what is unpublished", async () => {
  const site = await published();
  const message = "Token: the audience of its site has changed";
  const ended = { code: "UNAUTHORIZED", message, details: { reason: "reader_token_ended" } };
  const { api, one } = site;
  await api.sites.update({ ...one, visibility: "visitor-auth" });
  const epoch = await sites.epochOf(service.contextOf(service.self), one.siteId);
  expect(epoch).toBe(site.epoch + 1);
  await expect(visiting(site)()).rejects.toMatchObject(ended);
  expect(await visiting({ ...site, epoch })()).toMatchObject({ id: one.siteId });
  expect(await visiting({ ...site, epoch: epoch + 1 })()).toMatchObject({ id: one.siteId });
  await api.publishing.unpublish(one);
  await expect(visiting({ ...site, epoch: epoch + 9 })()).rejects.toMatchObject(ended);
});

test("whoever has a preview views a site that is not published, until its audience is narrowed", async () => {
  const site = await published();
  await site.api.publishing.unpublish(site.one);
  const epoch = await sites.epochOf(service.contextOf(service.self), site.one.siteId);
  const preview = { preview: true, epoch } as const;
  expect(await visiting(site, preview)()).toMatchObject({ id: site.one.siteId });
  const before = visiting(site, { ...preview, epoch: epoch - 1 });
  await expect(before()).rejects.toMatchObject({ details: { reason: "reader_token_ended" } });
});

test("an integration views and changes the sites that it is installed for, and no others of its organization", async () => {
  const [own, other] = [await published(), await published()];
  const caller: Caller = {
    kind: "integration",
    integration: "i",
    installation: "i1",
    organization: "acme",
    token: "t",
    scopes: [],
    sites: { all: false, but: [own.one.siteId] },
  };
  const ctx = service.contextOf(caller);
  expect(await loadSite(ctx, own.one, "site.view")).toMatchObject({ id: own.one.siteId });
  expect(await lockSiteIfAny(ctx, own.one, "site.view")).toMatchObject({ id: own.one.siteId });
  const missing = { code: "NOT_FOUND", message: "Site: not found" };
  await expect(loadSite(ctx, other.one, "site.view")).rejects.toMatchObject(missing);
  await expect(lockSite(ctx, other.one, "site.view")).rejects.toMatchObject(missing);
  expect(await lockSiteIfAny(ctx, other.one, "site.view")).toBeUndefined();
});

test("a site is not locked for a role that does not reach by the identity, nor for a stranger", async () => {
  const { one } = await published();
  const lockedBy = (organizations: Roles) =>
    lockSiteIfAny(service.contextOf(userWith(organizations)), one, "site.delete");
  expect(await lockedBy({ acme: "create" })).toMatchObject({ id: one.siteId });
  await expect(lockedBy({ acme: "review" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(lockedBy({ beta: "admin" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
