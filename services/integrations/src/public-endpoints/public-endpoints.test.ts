import { createServer, request } from "node:http";
import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublishInput } from "../integrations/schema.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { listen, shut } from "../testing/listening.js";
import { moduleOf } from "../testing/scripts.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
/** Leads from the address of the interface, as scripts know it, to the service. */
const gateway = createServer((req, res) => {
  const { url, method, headers } = req;
  const onward = request(`${home.address}${url}`, { method, headers }, (response) => {
    res.writeHead(response.statusCode!, response.headers);
    response.pipe(res);
  });
  onward.once("error", () => res.destroy());
  req.pipe(onward);
});
beforeAll(async () => {
  const gatewayUrl = await listen(gateway);
  home = await startIntegrations({ timeoutMs: 6_000, gatewayUrl });
  acme = home.orgs.add();
});
afterAll(async () => {
  await home.end();
  await shut(gateway);
});

/** Returns its request, as JSON. */
const ECHO = moduleOf(`
  const { type, request } = event;
  if (type === "fetch_published_script")
    return new Response("/* " + (environment.siteInstallation?.configuration.key ?? "none") + " */", {
      headers: { "content-type": "text/javascript", "cache-control": "max-age=60" } });
  if (type !== "fetch") return new Response("OK");
  const deepest = environment.siteInstallation ?? environment.spaceInstallation ?? environment.installation ?? environment.integration;
  return Response.json({ request, raw, ids: [event.installationId, event.spaceId, event.siteId],
    isBelow: request.url.startsWith(deepest.urls.publicEndpoint) });`);

async function installed(script: string, over: Partial<PublishInput> = {}) {
  const { call } = await home.as({ [acme]: "admin" });
  const input = publication({ organization: acme, script, ...over });
  const { integrationName } = input;
  await call.integrations.publish(input);
  const { id } = await call.installations.install({ integrationName, organization: acme });
  const site = home.sites.site(acme);
  const space = home.content.space(acme);
  const one = { integrationName, installationId: id };
  await call.installationSpaces.install({ ...one, space, extended: false });
  await call.installationSites.install({ ...one, siteId: site, extended: false });
  return { call, one, integrationName, id, site, space, path: `/v1/integrations/${integrationName}` };
}

interface Sent {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was sent
  json: () => any;
}

/** A request as the gateway forwards it, without an identity. */
function ask(path: string, { method = "GET", headers = {}, body = "" } = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const framed = body === "" ? headers : { ...headers, "content-length": Buffer.byteLength(body) };
    const outgoing = request(`${home.address}${path}`, { method, headers: framed }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const { statusCode: status = 0 } = response;
      resolve({ status, headers: response.headers, text, json: () => JSON.parse(text) });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

test("each level responds below its own public endpoint, and its script receives the level", async () => {
  const { path, id, space, site } = await installed(ECHO);
  const installation = `${path}/installations/${id}`;
  const levels: [string, (string | null)[]][] = [
    [path, [null, null, null]],
    [installation, [id, null, null]],
    [`${installation}/spaces/${space}`, [id, space, null]],
    [`${installation}/sites/${site}`, [id, null, site]],
  ];
  for (const [base, ids] of levels) {
    const response = await ask(`${base}/public/a%20b/c?x=1?2`);
    expect([response.status, response.json().isBelow, response.json().ids]).toEqual([200, true, ids]);
    expect(response.json().request.url).toBe(`http://octavo.test${base}/public/a%20b/c?x=1?2`);
    expect((await ask(`${base}/public`)).json().request.url).toBe(`http://octavo.test${base}/public`);
  }
});

test("the verbs, a body of any type and the client's headers reach the script; ours do not", async () => {
  const { path } = await installed(ECHO);
  const headers = {
    "x-hub-signature": "s",
    "content-type": "text/xml",
    authorization: "Bearer secret",
    cookie: "session=1",
    "x-octavo-identity": "forged",
    "x-forwarded-for": "192.0.2.1",
  };
  for (const method of ["POST", "PUT", "DELETE"]) {
    const { request, raw } = (await ask(`${path}/public/x`, { method, headers, body: "<a/>" })).json();
    expect([request.method, raw]).toEqual([method.toLowerCase(), "<a/>"]);
    expect(request.headers).toEqual({ "x-hub-signature": "s", "content-type": "text/xml" });
  }
  const read = (await ask(`${path}/public/x`)).json();
  expect([read.request.method, read.raw]).toEqual(["get", null]);
  const head = await ask(`${path}/public/x`, { method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
  const large = await ask(`${path}/public/x`, { method: "POST", body: "x".repeat(300 * 1024) });
  expect(large.status).toBe(413);
  expect((await ask(`${path}/public/x`, { method: "PATCH" })).status).toBe(405);
});

test("the response is the script's own, without headers that act on our origin, and in a sandbox", async () => {
  const script = moduleOf(`return new Response("<p>page</p>", { status: 418, headers: [
    ["content-type", "text/html"], ["set-cookie", "session=stolen"], ["location", "https://example.com/next"],
    ["clear-site-data", "*"], ["service-worker-allowed", "/"], ["www-authenticate", "Basic"],
    ["access-control-allow-origin", "https://evil.example"], ["x-octavo-identity-changed", "all"],
    ["transfer-encoding", "chunked"], ["connection", "upgrade"], ["content-length", "3"],
    ["content-security-policy", "img-src *"]] });`);
  const { path } = await installed(script, {
    contentSecurityPolicy: { "default-src": "https://cdn.example" },
  });
  const { status, headers, text } = await ask(`${path}/public/page`);
  expect([status, text]).toEqual([418, "<p>page</p>"]);
  expect(headers).toMatchObject({ "content-type": "text/html", location: "https://example.com/next" });
  expect(headers["content-length"]).toBe("11");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("sandbox allow-scripts");
  expect(policy).not.toContain("allow-same-origin");
  expect(policy).toContain("img-src *");
  expect(policy).toContain("default-src https://cdn.example");
  for (const name of [
    "set-cookie",
    "clear-site-data",
    "service-worker-allowed",
    "www-authenticate",
    "access-control-allow-origin",
    "x-octavo-identity-changed",
    "transfer-encoding",
  ])
    expect(headers[name]).toBeUndefined();
});

test("redirects are passed on, a response without a body has none, and every request is an event with its trace", async () => {
  const script = moduleOf(`console.log("asked");
    if (event.request?.url.endsWith("/go")) return Response.redirect("https://example.com/", 302);
    return new Response(null, { status: 204 });`);
  const { call, integrationName, path } = await installed(script);
  const moved = await ask(`${path}/public/go`);
  expect([moved.status, moved.headers.location]).toEqual([302, "https://example.com/"]);
  const empty = await ask(`${path}/public/empty`);
  expect([empty.status, empty.headers["content-length"]]).toEqual([204, undefined]);
  const { items } = await call.events.list({ integrationName, limit: 10 });
  const fetches = items.filter(({ payload }) => payload.type === "fetch");
  expect(fetches).toMatchObject([
    { status: "success", payload: { request: { url: expect.stringMatching(/\/empty$/) } } },
    { status: "success", payload: { request: { url: expect.stringMatching(/\/go$/) } } },
  ]);
  const { trace } = await call.events.get({ integrationName, eventId: fetches[0]!.id });
  expect(trace?.logs.map(({ message }) => message)).toEqual(expect.arrayContaining(["asked"]));
});

test("502 for a script that throws, loops or never responds, recorded in the event; the reason is not returned", async () => {
  const script = moduleOf(`if (event.type !== "fetch") return new Response("OK");
    if (event.request.url.endsWith("/throw")) throw new Error("secret place");
    if (event.request.url.endsWith("/loop")) for (;;);
    await new Promise(() => setTimeout(() => undefined, 60000));`);
  const { call, integrationName, path } = await installed(script);
  for (const end of ["throw", "wait", "loop"]) {
    const response = await ask(`${path}/public/${end}`);
    expect([response.status, response.json().error.reason]).toEqual([502, "integration_failed"]);
    expect(response.text).not.toContain("secret");
  }
  const { items } = await call.events.list({ integrationName, limit: 10 });
  const failed = items.filter(({ payload }) => payload.type === "fetch").map(({ status }) => status);
  expect(failed).toEqual(["failed", "failed", "failed"]);
});

test("an endpoint that redirects to itself is passed on as it is, and a script that follows it fails after twenty redirects", async () => {
  const script = moduleOf(`if (event.type !== "fetch") return new Response("OK");
    const { url } = event.request;
    if (url.endsWith("/round")) return Response.redirect(url, 302);
    return await fetch(url.replace("/follow", "/round"));`);
  const { call, integrationName, path } = await installed(script);
  const round = await ask(`${path}/public/round`);
  expect([round.status, round.headers.location]).toEqual([302, `http://octavo.test${path}/public/round`]);
  const followed = await ask(`${path}/public/follow`);
  expect([followed.status, followed.json().error.reason]).toEqual([502, "integration_failed"]);
  const { items } = await call.events.list({ integrationName, limit: 100 });
  const fetches = items.filter(({ payload }) => payload.type === "fetch");
  const failed = fetches.filter(({ status }) => status === "failed");
  expect(failed).toHaveLength(1);
  expect(fetches.length).toBeLessThanOrEqual(23);
  const { trace } = await call.events.get({ integrationName, eventId: failed[0]!.id });
  expect(JSON.stringify(trace)).toContain("Too many redirects");
  expect((await ask(`${path}/public/round`)).status).toBe(302);
});

test("a script that calls its own endpoint without end stops where too many run at a time, and the others are served", async () => {
  const script = moduleOf(`if (event.type !== "fetch") return new Response("OK");
    if (event.request.url.endsWith("/well")) return new Response("well");
    return await fetch(event.request.url);`);
  const { call, integrationName, path } = await installed(script);
  expect((await ask(`${path}/public/deep`)).status).toBe(503);
  const { items } = await call.events.list({ integrationName, limit: 100 });
  const fetches = items.filter(({ payload }) => payload.type === "fetch");
  expect(fetches).toHaveLength(32);
  expect(new Set(fetches.map(({ status }) => status))).toEqual(new Set(["failed"]));
  expect((await ask(`${path}/public/well`)).text).toBe("well");
});

test("404 for what is not installed there, is another's, or was paused or removed", async () => {
  const { call, one, path, id, space, site } = await installed(ECHO);
  const other = await installed(ECHO);
  const statusOf = async (address: string) => (await ask(address)).status;
  expect(await statusOf(`/v1/integrations/no-such-${newId()}/public/x`)).toBe(404);
  expect(await statusOf(`${path}/installations/${other.id}/public/x`)).toBe(404);
  expect(await statusOf(`${path}/installations/${id}/spaces/${other.space}/public/x`)).toBe(404);
  expect(await statusOf(`${path}/installations/${id}/spaces/${site}/public/x`)).toBe(404);
  expect(await statusOf(`${path}/installations/${id}/sites/${space}/public/x`)).toBe(404);
  await home.db.updateTable("installation").set({ status: "paused" }).where("id", "=", id).execute();
  expect(await statusOf(`${path}/installations/${id}/public/x`)).toBe(404);
  await home.db.updateTable("installation").set({ status: "active" }).where("id", "=", id).execute();
  expect(await statusOf(`${path}/installations/${id}/public/x`)).toBe(200);
  await call.installations.uninstall(one);
  expect(await statusOf(`${path}/installations/${id}/public/x`)).toBe(404);
});

test("the script for pages comes from installations at work there whose integration may put scripts into pages", async () => {
  const { call, one, path, id, site, space } = await installed(ECHO, { scopes: ["site:script:inject"] });
  await call.installationSites.update({
    ...one,
    siteId: site,
    configuration: { key: "k1" },
    extended: false,
  });
  const base = `${path}/installations/${id}`;
  const response = await ask(`${base}/sites/${site}/script`);
  expect([response.status, response.text]).toEqual([200, "/* k1 */"]);
  expect(response.headers).toMatchObject({
    "content-type": "text/javascript",
    "cache-control": "max-age=60",
  });
  // It works on all sites of the organization, and on no other.
  expect((await ask(`${base}/sites/${home.sites.site(acme)}/script`)).text).toBe("/* none */");
  expect((await ask(`${base}/sites/${home.sites.site(home.orgs.add())}/script`)).status).toBe(404);
  expect((await ask(`${base}/spaces/${space}/script`)).status).toBe(404);
});

test("503 with Retry-After while too many requests run one publisher's scripts", async () => {
  const script = moduleOf(`await new Promise((done) => setTimeout(done, 4000)); return new Response("OK");`);
  const { path } = await installed(script);
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { status, headers } = await ask(`${path}/public/x`);
      return status === 503 ? `503 ${headers["retry-after"]}` : String(status);
    }),
  );
  expect(statuses.filter((one) => one === "503 1").length).toBe(8);
  expect(statuses.filter((one) => one === "200").length).toBe(32);
});
