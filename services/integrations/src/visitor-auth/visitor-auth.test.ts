import { keyOfSite } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "../schemas/manifest.js";
import { around } from "../testing/identities.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { moduleOf } from "../testing/scripts.js";
import { offer, offerAll, replaceSecret } from "./offer.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
});
afterAll(() => home.end());

/** Sends visitors to an identity provider, with what it was asked for and what it would sign with. */
const SCRIPT = moduleOf(`
  if (event.type !== "fetch_visitor_authentication") return new Response("", { status: 406 });
  const to = new URL("https://login.example.com/authorize");
  to.searchParams.set("state", event.location ?? "");
  to.searchParams.set("site", event.siteId);
  to.searchParams.set("secret", environment.signingSecrets.siteInstallation);
  return Response.redirect(to.href, 302);`);

const SCOPES: Scope[] = ["site:visitor:auth"];

async function installed(scopes = SCOPES) {
  const { call } = await home.as({ [acme]: "admin" });
  const input = publication({ organization: acme, script: SCRIPT, scopes });
  const { integrationName } = input;
  const publish = (scopes: Scope[]) => call.integrations.publish({ ...input, scopes });
  await publish(scopes);
  const { id } = await call.installations.install({ integrationName, organization: acme });
  const site = home.sites.site(acme);
  const one = { integrationName, installationId: id };
  await call.installationSites.install({ ...one, siteId: site, extended: false });
  const path = `/v1/integrations/${integrationName}/installations/${id}/sites/${site}/visitor-auth`;
  const get = (query = "") => fetch(`${home.address}${path}${query}`, { redirect: "manual" });
  return { call, one, integrationName, id, site, path, publish, get };
}

/** What sites are handed of an installation. */
async function offered(installation: string) {
  await offer(home.ownContext(), { installation, organization: acme });
  return home.sites.offers.get(installation)!;
}

const secretOf = async (get: () => Promise<Response>) =>
  new URL((await get()).headers.get("location")!).searchParams.get("secret");

test("sites are handed where visitors sign in, and the secret that the script signs with, sealed", async () => {
  const { integrationName, id, site, path, get } = await installed();
  expect(await home.queued(`visitor-auth:${id}`)).toMatchObject({ job: "visitorAuth.offer" });
  const [one, ...more] = await offered(id);
  expect(more).toEqual([]);
  expect(one).toMatchObject({ site, integration: integrationName });
  expect(new URL(one!.address).pathname).toBe(path);
  expect(around.vault.open(one!.key, keyOfSite(site, acme))).toBe(await secretOf(get));
});

test("GET …/visitor-auth has the script send the visitor on, with the place where they wanted to go", async () => {
  const { call, one, site, get } = await installed();
  const response = await get("?location=guides%2Fa");
  expect(response.status).toBe(302);
  const to = new URL(response.headers.get("location")!);
  expect([to.host, to.searchParams.get("state"), to.searchParams.get("site")]).toEqual([
    "login.example.com",
    "guides/a",
    site,
  ]);
  for (const place of [
    "//evil.example",
    "https://evil.example",
    ".evil.example",
    "a//b",
    "\\evil",
    "@evil",
    "a\0",
  ]) {
    const { headers } = await get(`?location=${encodeURIComponent(place)}`);
    expect(new URL(headers.get("location")!).searchParams.get("state"), place).toBe("");
  }
  const { items } = await call.events.list({ integrationName: one.integrationName });
  expect(items.map(({ payload, status }) => [payload.type, status])).toContainEqual([
    "fetch_visitor_authentication",
    "success",
  ]);
});

test.each<[string, (of: Awaited<ReturnType<typeof installed>>) => Promise<unknown>]>([
  ["without the scope", async ({ publish }) => publish(["site:metadata:read"])],
  ["off the site", async ({ call, one, site }) => call.installationSites.uninstall({ ...one, siteId: site })],
  ["uninstalled", async ({ call, one }) => call.installations.uninstall(one)],
  ["unpublished", async ({ call, integrationName }) => call.integrations.unpublish({ integrationName })],
])("an integration that is %s is offered no more, and 404", async (_, end) => {
  const of = await installed();
  expect(await offered(of.id)).toHaveLength(1);
  await home.db.deleteFrom("event").where("integration", "is not", null).execute();
  await end(of);
  const { id } = (await home.db
    .selectFrom("integration")
    .select("id")
    .where("name", "=", of.integrationName)
    .executeTakeFirst()) ?? { id: "" };
  await offerAll(home.ownContext(), { integration: id });
  expect(await home.queued(`visitor-auth:${of.id}`)).toBeDefined();
  expect(await offered(of.id)).toEqual([]);
  expect((await of.get()).status).toBe(404);
});

test("an installation for all sites signs in nobody where it is not installed by itself, nor without the scope", async () => {
  const { id, path, site, get } = await installed();
  const elsewhere = home.sites.site(acme);
  const response = await fetch(`${home.address}${path.replace(site, elsewhere)}`, { redirect: "manual" });
  expect([response.status, (await get()).status]).toEqual([404, 302]);
  expect((await offered(id)).map((one) => one.site)).toEqual([site]);
  const reading = await installed(["site:metadata:read"]);
  expect(await home.queued(`visitor-auth:${reading.id}`)).toBeUndefined();
  expect((await reading.get()).status).toBe(404);
});

test("an installation on more sites than one page holds is offered to all of them, and off the last ones as well", async () => {
  const { id, site } = await installed();
  const sites = Array.from({ length: 450 }, () => home.sites.site(acme));
  const { integration } = await home.db
    .selectFrom("content_installation")
    .select("integration")
    .where("installation", "=", id)
    .executeTakeFirstOrThrow();
  const secretOfSite = { kind: "contentInstallation.signingSecret", organization: acme };
  const rows = sites.map((content) => {
    const own = { ...secretOfSite, id: newId() };
    const about = { id: own.id, integration, installation: id, organization: acme, content };
    const sealed = { signing_secret: around.vault.seal("s", own), configuration: "{}" };
    return { ...about, ...sealed, kind: "site" as const, status: "active" as const };
  });
  await home.db.insertInto("content_installation").values(rows).execute();
  const all = [site, ...sites].toSorted();
  expect((await offered(id)).map((one) => one.site).toSorted()).toEqual(all);
  const ended = all.slice(-60);
  await home.db.deleteFrom("content_installation").where("content", "in", ended).execute();
  expect((await offered(id)).map((one) => one.site).toSorted()).toEqual(all.slice(0, -60));
});

test("another key of the site gives the installation another secret, which is handed on", async () => {
  const { id: installation, site, get } = await installed();
  const before = await secretOf(get);
  const about = { site, organization: acme, installation };
  await transact(home.ownContext(), (ctx) => replaceSecret(ctx, { ...about, organization: "other" }));
  expect(await secretOf(get)).toBe(before);
  await transact(home.ownContext(), (ctx) => replaceSecret(ctx, about));
  const after = await secretOf(get);
  expect(after).not.toBe(before);
  const [one] = await offered(installation);
  expect(around.vault.open(one!.key, keyOfSite(site, acme))).toBe(after);
});
