import { keyOfSite, SiteAudience, SiteKeyReplaced } from "@octavo/shared/contracts/events/sites";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admit } from "../audience/admit.js";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const FALLBACK = "https://login.example.com/in";
let installations = 0;

/** A published site that asks its visitors who they are, and installations that offer to find out. */
async function asking() {
  const api = await service.as({ acme: "create" });
  const { id: space } = service.content.space({ organization: "acme" });
  const { id } = await api.sites.create({
    organizationId: "acme",
    visibility: "visitor-auth",
    spaces: [space],
  });
  const one = { organizationId: "acme", siteId: id };
  await api.publishing.publish(one);
  const { privateKey } = await api.publishingAuth.update({
    ...one,
    backend: "custom",
    fallbackURL: FALLBACK,
  });
  const integrations = await service.asService("integrations");
  /** Has an installation offer this site a key, or nothing. */
  const offer = async (installation: string, integration: string, key?: string) => {
    const address = `https://octavo.test/v1/integrations/${integration}/visitor-auth`;
    const sealed = key && service.vault.seal(key, keyOfSite(id, "acme"));
    const offers = sealed ? [{ site: id, integration, address, key: sealed }] : [];
    await integrations.visitorIntegrations.replace({ installation, organization: "acme", offers });
    return address;
  };
  /** What the site does with somebody: lets them in, or where it sends them. */
  const visit = async (key?: string, path: string[] = []) => {
    const jwtToken = key && (await sign(key));
    const site = (await sites.find(service.contextOf(service.self), "acme", id))!;
    const ctx = service.contextOf(service.self);
    const admission = await admit(ctx, site, { path, jwtToken, redirectOnError: true });
    return admission && "redirect" in admission ? admission.redirect : "in";
  };
  const epoch = async () =>
    (await service.emitted(SiteAudience)).filter(({ site }) => site === id).at(-1)!.epoch!;
  return { api, one, privateKey, offer, visit, epoch, installation: `i${++installations}` };
}

const sign = (key: string) =>
  new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(key));

test("visitors sign in by the integration that was chosen, and its key counts beside the site's own", async () => {
  const { api, one, privateKey, offer, visit, installation } = await asking();
  const address = await offer(installation, "oidc", "its key");
  // Nobody has chosen it.
  expect(await visit("its key")).toContain(FALLBACK);
  const auth = await api.publishingAuth.update({ ...one, backend: "integration" });
  expect(auth).toMatchObject({ backend: "integration", integration: "oidc", fallbackURL: FALLBACK });
  expect(await visit(undefined, ["guides", "a b"])).toBe(`${address}?location=guides%2Fa%2520b`);
  expect([await visit("its key"), await visit(privateKey)]).toEqual(["in", "in"]);
  expect(await visit("another key")).toContain(address);
  const [emitted] = (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).slice(-1);
  expect(emitted!.visitorAuth).toEqual({ backend: "integration", integration: "oidc" });

  await api.publishingAuth.update({ ...one, backend: "custom" });
  expect(await visit("its key")).toContain(FALLBACK);
});

test("an integration that offers nothing any more ends what it signed, and another one takes no place by itself", async () => {
  const { api, one, offer, visit, epoch, installation } = await asking();
  await offer(installation, "oidc", "its key");
  await api.publishingAuth.update({ ...one, backend: "integration" });
  const before = await epoch();
  await offer(installation, "oidc");
  await offer(`${installation}b`, "rival", "rival's key");
  expect(await epoch()).toBe(before + 1);
  expect([await visit("its key"), await visit("rival's key")]).toEqual([
    expect.stringContaining(FALLBACK),
    expect.stringContaining(FALLBACK),
  ]);
  expect((await api.publishingAuth.get(one)).integration).toBeUndefined();
  // The same installation, which was paused, comes back to its place.
  await offer(installation, "oidc", "its key");
  expect(await visit("its key")).toBe("in");
  const named = { ...one, backend: "integration" as const };
  expect((await api.publishingAuth.update(named)).integration).toBe("oidc");
  expect((await api.publishingAuth.update({ ...named, integration: "rival" })).integration).toBe("rival");
  expect([await visit("its key"), await visit("rival's key")]).toEqual([
    expect.stringContaining("rival"),
    "in",
  ]);
  await expect(api.publishingAuth.update({ ...named, integration: "none" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("another key of the site takes another key of the integration too", async () => {
  const { api, one, privateKey, offer, visit, installation } = await asking();
  await offer(installation, "oidc", "its key");
  await api.publishingAuth.update({ ...one, backend: "integration" });
  await api.publishingAuth.regenerate(one);
  expect([await visit("its key"), await visit(privateKey)]).not.toContain("in");
  const events = (await service.emitted(SiteKeyReplaced)).filter(({ site }) => site === one.siteId);
  expect(events).toEqual([{ site: one.siteId, organization: "acme", installation }]);
  await offer(installation, "oidc", "its second key");
  expect([await visit("its key"), await visit("its second key")]).toEqual([expect.any(String), "in"]);
});

test("offers to the sites of a range take the place of those to these sites alone", async () => {
  const [first, second] = [await asking(), await asking()].toSorted((one, other) =>
    one.one.siteId < other.one.siteId ? -1 : 1,
  );
  const integrations = await service.asService("integrations");
  const installation = first!.installation;
  const replace = (of: (typeof first)[], range: { above?: string; upTo?: string }) => {
    const offers = of.map(({ one: { siteId: site } = { siteId: "" } } = first!) => ({
      site,
      integration: "oidc",
      address: "https://octavo.test/in",
      key: service.vault.seal("its key", keyOfSite(site, "acme")),
    }));
    return integrations.visitorIntegrations.replace({ installation, organization: "acme", offers, ...range });
  };
  const choose = ({ api, one }: NonNullable<typeof first>) =>
    api.publishingAuth.update({ ...one, backend: "integration" });
  await replace([first], { upTo: first!.one.siteId });
  await replace([second], { above: first!.one.siteId });
  for (const one of [first!, second!]) expect((await choose(one)).integration).toBe("oidc");
  await replace([], { above: first!.one.siteId });
  expect([await first!.visit("its key"), await second!.visit("its key")]).toEqual([
    "in",
    expect.stringContaining(FALLBACK),
  ]);
});

test("the same offer again changes nothing; offers to sites of other organizations are none", async () => {
  const { api, one, offer, epoch, visit, installation } = await asking();
  await offer(installation, "oidc", "its key");
  await api.publishingAuth.update({ ...one, backend: "integration" });
  const [before, events] = [await epoch(), (await service.emitted(SiteAudience)).length];
  await offer(installation, "oidc", "its key");
  expect([await epoch(), (await service.emitted(SiteAudience)).length]).toEqual([before, events]);
  const integrations = await service.asService("integrations");
  const key = service.vault.seal("foreign", keyOfSite(one.siteId, "beta"));
  const offers = [{ site: one.siteId, integration: "x", address: "https://x.example/", key }];
  await integrations.visitorIntegrations.replace({ installation: "foreign", organization: "beta", offers });
  expect(await visit("its key")).toBe("in");
  const { installation: _, ...rest } = { installation, organization: "acme", offers: [] };
  for (const call of [api, await service.asService("content")])
    await expect(call.visitorIntegrations.replace({ ...rest, installation })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
});
