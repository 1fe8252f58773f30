import { findJob } from "@octavo/shared/testing/jobs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publication, startIntegrations } from "../testing/integrations.js";
import { handDown, handDownAll } from "./hand-down.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
beforeAll(async () => {
  home = await startIntegrations();
});
afterAll(() => home.end());

const isQueued = async (installation: string) =>
  (await findJob({ db: home.db }, { key: `scripts:${installation}` })) !== undefined;

/** An organization's own integration that puts scripts into pages, installed there, and what sites is handed of it. */
async function installed(over: Partial<Parameters<typeof publication>[0]> = {}) {
  const organization = home.orgs.add();
  const { call } = await home.as({ [organization]: "admin" });
  const input = publication({
    organization,
    scopes: ["site:script:inject", "site:script:cookies"],
    contentSecurityPolicy: { "img-src": "*", "frame-src": "'none'" },
    ...over,
  });
  const { integrationName } = input;
  await call.integrations.publish(input);
  const { id: installation } = await call.installations.install({ integrationName, organization });
  const key = { integrationName, installationId: installation };
  /** What the job hands down that is waiting; nothing where none waits. */
  const handed = async () => {
    if (!(await isQueued(installation))) return undefined;
    home.sites.scripts.splice(0);
    await handDown(home.ownContext(), { installation, organization });
    // The job is done.
    await sql`delete from _private_jobs`.execute(home.db);
    return home.sites.scripts.map(({ installation: _, organization: __, ...rest }) => rest);
  };
  return { call, input, organization, integrationName, installation, key, handed };
}

test("an installation that puts scripts into pages is handed down, with every change of where it works", async () => {
  const { call, organization, integrationName, key, handed } = await installed();
  const script = { integration: integrationName, cookies: true, everywhere: true };
  const withPolicy = { ...script, contentSecurityPolicy: "img-src *; frame-src 'none'" };
  expect(await handed()).toEqual([{ script: withPolicy, places: [] }]);
  const site = home.sites.site(organization);
  await call.installationSites.install({ ...key, siteId: site });
  expect(await handed()).toEqual([{ script: withPolicy, places: [{ site, works: true }] }]);
  await call.installations.update({ ...key, site_selection: "selected" });
  expect(await handed()).toMatchObject([{ script: { everywhere: false }, places: [{ site, works: true }] }]);
  await call.installationSites.uninstall({ ...key, siteId: site });
  expect(await handed()).toMatchObject([{ places: [] }]);
  await call.installations.uninstall(key);
  expect(await handed()).toEqual([{ places: [] }]);
});

test("what is pending on a site does not work there, and what is pending or not made for sites works nowhere", async () => {
  const required = { properties: { key: { type: "string" as const } }, required: ["key"] };
  const onSite = await installed({ configurations: { site: required } });
  const site = home.sites.site(onSite.organization);
  await onSite.call.installationSites.install({ ...onSite.key, siteId: site });
  expect(await onSite.handed()).toMatchObject([{ places: [{ site, works: false }] }]);
  await onSite.call.installationSites.update({ ...onSite.key, siteId: site, configuration: { key: "a" } });
  expect(await onSite.handed()).toMatchObject([{ places: [{ site, works: true }] }]);
  const pending = await installed({ configurations: { account: required } });
  expect(await pending.handed()).toEqual([{ places: [] }]);
  const elsewhere = await installed({ target: "space" });
  expect(await elsewhere.handed()).toEqual([{ places: [] }]);
  const without = await installed({ scopes: ["site:metadata:read"] });
  expect(await without.handed()).toBeUndefined();
});

test("a version with another scope or policy is handed down for all installations, and no other one is", async () => {
  const { call, input, integrationName, installation, handed } = await installed();
  await handed();
  const { id: integration } = await home.db
    .selectFrom("integration")
    .select("id")
    .where("name", "=", integrationName)
    .executeTakeFirstOrThrow();
  const publish = async (over: object) => {
    await call.integrations.publish({ ...input, ...over });
    const job = await findJob({ db: home.db }, { key: `scripts ${integration}` });
    if (!job) return undefined;
    await handDownAll(home.ownContext(), { integration });
    expect(await isQueued(installation)).toBe(true);
    return handed();
  };
  expect(await publish({ title: "Other" })).toBeUndefined();
  expect(await publish({ contentSecurityPolicy: "default-src 'none'" })).toMatchObject([
    { script: { contentSecurityPolicy: "default-src 'none'" } },
  ]);
  expect(await publish({ scopes: ["site:script:inject"] })).toMatchObject([{ script: { cookies: false } }]);
  expect(await publish({ scopes: [] })).toEqual([{ places: [] }]);
});

test("an installation on more sites than one page holds is handed down in ranges of their ids", async () => {
  const { call, organization, installation, key, handed } = await installed();
  const first = home.sites.site(organization);
  await call.installationSites.install({ ...key, siteId: first });
  const row = await home.db
    .selectFrom("content_installation")
    .selectAll()
    .where("installation", "=", installation)
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 1_200 }, (_, at) => {
    const content = `site-${String(at).padStart(4, "0")}`;
    return { ...row, id: `${row.id}-${at}`, content, configuration: "{}" };
  });
  await home.db.insertInto("content_installation").values(rows).execute();
  const ranges = (await handed())!;
  expect(ranges.map(({ above, upTo, places }) => [above, upTo, places.length])).toEqual([
    [undefined, ranges[0]!.places.at(-1)!.site, 1_000],
    [ranges[0]!.upTo, undefined, 201],
  ]);
});
