import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublishInput } from "../integrations/schema.js";
import { publication, startIntegrations } from "../testing/integrations.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
beforeAll(async () => {
  home = await startIntegrations();
});
afterAll(() => home.end());

/** An organization with a space and a site, and what it takes to publish and install there. */
async function office() {
  const organization = home.orgs.add();
  const { send } = await home.as({ [organization]: "create" });
  const [space, site] = [home.content.space(organization), home.sites.site(organization)];
  const install = async (over: Partial<PublishInput> = {}, set?: object) => {
    const input = publication({ organization, ...over });
    const path = `/integrations/${input.integrationName}`;
    await send("POST", path, input);
    const { body } = await send("POST", `${path}/installations`, { organization });
    const one = `${path}/installations/${body.id}`;
    if (set) await send("PATCH", one, set);
    return { name: input.integrationName, one };
  };
  const names = async (path: string) => {
    const { status, body } = await send("GET", path);
    expect(status).toBe(200);
    return (body.items ?? body).map((item: { name?: string }) => item.name).sort();
  };
  return { organization, send, space, site, install, names };
}

test("GET …/integrations of a space and a site list what works there, by selection, own installation and target", async () => {
  const { organization, send, space, site, install, names } = await office();
  const everywhere = await install();
  const onSites = await install({ target: "site" });
  const chosen = await install({}, { space_selection: "selected", site_selection: "selected" });
  await install({}, { space_selection: "selected", site_selection: "selected" });
  const form = { properties: { key: { type: "string" as const } }, required: ["key"] };
  const unready = await install({ configurations: { space: form } });
  await send("POST", `${chosen.one}/spaces`, { space });
  await send("POST", `${unready.one}/spaces`, { space });
  expect(await names(`/spaces/${space}/integrations`)).toEqual([everywhere.name, chosen.name].sort());
  const onSite = `/orgs/${organization}/sites/${site}`;
  expect(await names(`${onSite}/integrations`)).toEqual([everywhere.name, onSites.name, unready.name].sort());
  expect(await names(`/spaces/${space}/integrations?search=${chosen.name}`)).toEqual([chosen.name]);
});

test("blocks and scripts are those of what works there, scripts by the scope that lets them in", async () => {
  const { organization, send, space, site, install } = await office();
  const blocks = [{ id: "chart", title: "Chart" }];
  const charts = await install({ blocks });
  const policy = { "script-src": "https://example.com", "img-src": "*" };
  const tracker = await install({
    scopes: ["site:script:inject", "site:script:cookies"],
    contentSecurityPolicy: policy,
  });
  expect((await send("GET", `/spaces/${space}/integration-blocks`)).body).toEqual([
    { name: charts.name, blocks },
  ]);
  expect((await send("GET", `/spaces/${space}/integration-scripts`)).body).toEqual([]);
  const path = `/orgs/${organization}/sites/${site}/integration-scripts`;
  expect((await send("GET", path)).body).toEqual([
    {
      script: `http://octavo.test/v1${tracker.one}/sites/${site}/script`,
      contentSecurityPolicy: "img-src *; script-src https://example.com",
      cookies: true,
    },
  ]);
});

test("what works in a space or on a site is for its readers alone", async () => {
  const { organization, space, site } = await office();
  const other = await home.as({ [home.orgs.add()]: "admin" });
  const guest = await home.as({ [organization]: null });
  for (const path of ["integrations", "integration-blocks", "integration-scripts"]) {
    expect((await other.send("GET", `/spaces/${space}/${path}`)).status).toBe(404);
    expect((await guest.send("GET", `/spaces/${space}/${path}`)).status).toBe(404);
  }
  for (const path of ["integrations", "integration-scripts"]) {
    const at = `/orgs/${organization}/sites/${site}/${path}`;
    expect((await other.send("GET", at)).status).toBe(404);
    expect((await guest.send("GET", at)).status).toBe(403);
  }
});

test("GET /orgs/{organizationId}/integrations adds the organization's own to the public ones", async () => {
  const [mine, theirs] = [await office(), await office()];
  const [own, open] = [await mine.install(), await theirs.install({ visibility: "public" })];
  const hidden = await theirs.install({ visibility: "unlisted" });
  const listed = await mine.names(`/orgs/${mine.organization}/integrations?limit=1000`);
  expect(listed).toEqual(expect.arrayContaining([own.name, open.name]));
  expect(listed).not.toContain(hidden.name);
  const path = `/orgs/${mine.organization}/integrations?owner=${theirs.organization}`;
  expect(await mine.names(path)).toEqual([open.name]);
  const outside = await home.as({ [theirs.organization]: "admin" });
  expect((await outside.send("GET", path)).status).toBe(404);
  expect((await (await home.as({ [mine.organization]: null })).send("GET", path)).status).toBe(403);
});

test("GET /orgs/{organizationId}/installations and the statuses list what is installed, and nobody else's", async () => {
  const { organization, send, install } = await office();
  const form = { properties: { key: { type: "string" as const } }, required: ["key"] };
  const [ready, pending] = [await install(), await install({ configurations: { account: form } })];
  await (await office()).install();
  const org = `/orgs/${organization}`;
  const { body } = await send("GET", `${org}/installations`);
  expect(body).toMatchObject({
    count: 2,
    items: [
      { integration: { name: ready.name }, installation: { status: "active", target: { organization } } },
      { integration: { name: pending.name }, installation: { status: "pending" } },
    ],
  });
  expect((await send("GET", `${org}/installations?search=${pending.name}`)).body.count).toBe(1);
  const statuses = await send("GET", `${org}/integrations/installations-status`);
  expect(statuses.body.items).toMatchObject([
    { status: "active", integration: { name: ready.name } },
    { status: "pending", integration: { name: pending.name } },
  ]);
  const one = (name: string) => `${org}/integrations/${name}/installation_status`;
  expect((await send("GET", one(pending.name))).body).toEqual({ status: "pending" });
  expect((await send("GET", one("nothing-of-the-kind"))).status).toBe(404);
  const { send: outside } = await home.as({ [home.orgs.add()]: "admin" });
  for (const path of [`${org}/installations`, `${org}/integrations/installations-status`, one(ready.name)])
    expect((await outside("GET", path)).status).toBe(404);
});
