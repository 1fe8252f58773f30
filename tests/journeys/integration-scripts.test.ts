import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { addPage } from "../harness/editing.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

// An integration as its authors and users have it: published, installed on an organization, a space and a site, run by
// the real runtime, and seen by what its script does.

const NAME = "journey-script";

/** Keeps the last revision of the space that it is installed on, which it reads with its token, and shows it. */
const SCRIPT = `
const api = async (environment, method, path, body) => {
  const response = await fetch(environment.apiEndpoint + "/v1" + path, { method,
    headers: { authorization: "Bearer " + environment.apiTokens.installation, "content-type": "application/json" },
    body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(method + " " + path + " " + response.status + " " + await response.text());
  return response.status === 204 ? undefined : response.json();
};
const handlers = {
  async space_content_updated(event, environment) {
    const { id, pages } = await api(environment, "GET", "/spaces/" + event.spaceId + "/content");
    console.log("saw", pages.length, "pages");
    await api(environment, "PATCH", "/integrations/" + environment.integration.name + "/installations/" +
      event.installationId + "/spaces/" + event.spaceId,
      { configuration: { revision: id, pages: pages.length } });
    return new Response("OK");
  },
  ui_render(event, environment) {
    const { configuration } = environment.spaceInstallation;
    const text = event.props.label + " " + configuration.pages + " " + configuration.revision;
    return Response.json({ type: "element", state: {}, props: event.props,
      element: { type: "block", children: [{ type: "text", children: [text] }] } });
  },
  fetch: (event, environment) => Response.json({ at: event.request.url, site: environment.siteInstallation?.site }),
  fetch_published_script: (event, environment) => new Response("console.log(" +
    JSON.stringify(environment.siteInstallation.configuration.key) + ");", { headers: { "content-type": "text/javascript" } }),
};
export default {
  async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(form.get("event"));
    const handler = handlers[event.type];
    if (!handler) return Response.json({ error: "not subscribed" }, { status: 406 });
    return handler(event, JSON.parse(form.get("environment")));
  },
};`;

let stack: SharedStack;
let call: Client;
let organization: string;
let space: string;
let site: string;
let installation: string;

const made = async <T = { id: string }>(method: string, path: string, body: object) => {
  const response = await call<T>(method, path, body);
  if (response.status > 204) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
  return response.body;
};
const one = () => `/integrations/${NAME}/installations/${installation}`;

beforeAll(async () => {
  stack = await sharedStack();
  call = createClient(stack);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = (await made("POST", `/orgs/${organization}/spaces`, { title: "Handbook" })).id;
  site = (await made("POST", `/orgs/${organization}/sites`, { title: "Docs", spaces: [space] })).id;
  await made("POST", `/integrations/${NAME}`, {
    title: "Witness",
    description: "Keeps revisions",
    runtime: "v2",
    script: SCRIPT,
    organization,
    scopes: ["space:content:read", "space:metadata:read", "site:script:inject", "site:views:read"],
    blocks: [{ id: "revision", title: "Revision" }],
  });
  installation = (await made("POST", `/integrations/${NAME}/installations`, { organization })).id;
  await made("POST", `${one()}/spaces`, { space });
  await made("POST", `${one()}/sites`, { siteId: site });
  await made("PATCH", `${one()}/sites/${site}`, { configuration: { key: "k1" } });
});

test("an edit is sent to the script, which reads the space with its token and changes its own installation", async () => {
  await addPage(call, space, "First");
  const { revision } = (await call<{ revision: string }>("GET", `/spaces/${space}`)).body;
  await eventually(async () => {
    const { body } = await call<{ configuration: { revision?: string } }>("GET", `${one()}/spaces/${space}`);
    return body.configuration.revision === revision;
  });
  // The script shows its work before it returns; its event is listed once it has returned.
  const event = await eventually(async () => {
    const { body } = await call<{
      items: { id: string; status: string; payload: { revisionId?: string } }[];
    }>("GET", `/integrations/${NAME}/events`);
    return body.items.find(({ payload }) => payload.revisionId === revision);
  });
  expect(event.status).toBe("success");
  await eventually(async () => {
    const { body } = await call<{ trace: { logs: { message: string }[] } }>(
      "GET",
      `/integrations/${NAME}/events/${event.id}`,
    );
    return body.trace.logs.some(({ message }) => /^saw \d+ pages$/.test(message));
  });
});

test("a block that the script renders shows what it has done", async () => {
  const { revision } = (await call<{ revision: string }>("GET", `/spaces/${space}`)).body;
  const { status, body } = await call<{ element: object }>("POST", `/integrations/${NAME}/render`, {
    componentId: "revision",
    props: { label: "Now" },
    context: { type: "document", theme: "light", spaceId: space, editable: false },
  });
  expect(status).toBe(200);
  expect(JSON.stringify(body.element)).toMatch(new RegExp(`Now \\d+ ${revision}`));
});

test("anybody reaches the script at its public endpoints, and pages get the script of the site", async () => {
  const anybody = call.as(undefined);
  const { urls } = (await call<{ urls: { publicEndpoint: string } }>("GET", `${one()}/sites/${site}`)).body;
  const hooked = await fetch(`${urls.publicEndpoint}/hook?a=1`, {
    method: "POST",
    body: "<a/>",
    headers: { "content-type": "text/xml" },
  });
  expect(hooked.status).toBe(200);
  expect(hooked.headers.get("content-security-policy")).toContain("sandbox");
  expect(await hooked.json()).toEqual({ at: `${urls.publicEndpoint}/hook?a=1`, site });
  const { body: scripts } = await call<{ script: string }[]>(
    "GET",
    `/orgs/${organization}/sites/${site}/integration-scripts`,
  );
  const mine = scripts.find(({ script }) => script.includes(NAME))!;
  const script = await fetch(mine.script);
  expect([script.status, await script.text()]).toEqual([200, 'console.log("k1");']);
  expect((await anybody("GET", `/integrations/${NAME}/events`)).status).toBe(401);
});

test("a visit of the site, as a renderer records it, is an event of the installation on that site", async () => {
  const session = {
    visitorId: "v",
    sessionId: "s",
    cookies: { a: "b" },
    userAgent: "agent",
    language: null,
    referrer: null,
  };
  const location = {
    url: "https://docs.example/a",
    siteSection: null,
    siteSpace: null,
    siteShareKey: null,
    space,
    revision: null,
    page: null,
  };
  await made("POST", `/orgs/${organization}/sites/${site}/insights/events`, {
    events: [{ type: "page_view", session, location }],
  });
  const view = await eventually(async () => {
    const { body } = await call<{ items: { payload: { type: string } }[] }>(
      "GET",
      `/integrations/${NAME}/events`,
    );
    return body.items.find(({ payload }) => payload.type === "site_view");
  });
  expect(view.payload).toMatchObject({
    siteId: site,
    spaceId: space,
    visitor: { anonymousId: "v", cookies: {} },
  });
});

test("the profile of the published site names the script, until the integration is uninstalled", async () => {
  await made("POST", `/orgs/${organization}/sites/${site}/publish`, {});
  const scripts = async () => {
    const { body } = await call<{ scripts: { script: string; cookies: boolean }[] }>(
      "GET",
      `/orgs/${organization}/sites/${site}/published`,
    );
    return body.scripts.filter(({ script }) => script.includes(NAME));
  };
  const [one] = await eventually(async () => {
    const found = await scripts();
    return found.length === 1 ? found : undefined;
  });
  expect(one).toMatchObject({ cookies: false });
  expect(await (await fetch(one!.script)).text()).toBe('console.log("k1");');
  expect((await call("DELETE", `/integrations/${NAME}/installations/${installation}`)).status).toBe(204);
  await eventually(async () => (await scripts()).length === 0);
  expect((await fetch(one!.script)).status).toBe(404);
});
