import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { sharedStack } from "../harness/shared-stack.js";

let call: Client;
let organization: string;
const NAME = `door-${Date.now().toString(36)}`;

beforeAll(async () => {
  call = createClient(await sharedStack());
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
});

async function make<T = { id: string }>(method: string, path: string, body?: object) {
  const response = await call<T>(method, path, body);
  if (response.status > 204) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
  return response.body;
}

/**
 * Sends visitors to a form of its own, and those who come back from it to the site, with a token that it signs: as
 * integrations do with an identity provider.
 */
const SCRIPT = `
const base64url = (value) => btoa(String.fromCharCode(...new Uint8Array(value)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const text = (value) => new TextEncoder().encode(JSON.stringify(value));
async function sign(claims, secret) {
  const signed = base64url(text({ alg: "HS256", typ: "JWT" })) + "." + base64url(text(claims));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
  return signed + "." + base64url(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed)));
}
export default { async fetch(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get("event"));
  const environment = JSON.parse(form.get("environment"));
  const { siteInstallation, installation, apiEndpoint, apiTokens, signingSecrets } = environment;
  if (event.type === "fetch_visitor_authentication") {
    const to = new URL(siteInstallation.urls.publicEndpoint + "/visitor-auth/response");
    to.searchParams.set("state", event.location ?? "");
    return Response.redirect(to.href, 302);
  }
  if (event.type === "fetch") {
    const state = new URL(event.request.url).searchParams.get("state");
    const url = apiEndpoint + "/v1/orgs/" + installation.target.organization + "/sites/" + siteInstallation.site;
    const site = await (await fetch(url, { headers: { authorization: "Bearer " + apiTokens.installation } })).json();
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const token = await sign({ exp }, signingSecrets.siteInstallation);
    const to = new URL(state, site.urls.published.replace(/[/]?$/, "/"));
    to.searchParams.set("jwt_token", token);
    return Response.redirect(to.href, 302);
  }
  return new Response("not for us", { status: 406 });
} }`;

const INSERT = {
  operation: "insert_page",
  title: "Set up",
  document: { markdown: "# Set up\n\nFor members.\n" },
};

test("a visitor is sent to the integration, comes back with a token, reads the site, and no more once it is uninstalled", async () => {
  const { id: space } = await make("POST", `/orgs/${organization}/spaces`, { title: "Members" });
  const request = await make("POST", `/spaces/${space}/change-requests`, {});
  const changes = `/spaces/${space}/change-requests/${request.id}`;
  await make("POST", `${changes}/content`, { changes: [INSERT] });
  await make("POST", `${changes}/merge`);
  const site = await make("POST", `/orgs/${organization}/sites`, { title: "Members", spaces: [space] });
  const path = `/orgs/${organization}/sites/${site.id}`;
  await make("POST", `${path}/publish`);
  await make("PATCH", path, { visibility: "visitor-auth" });

  await make("POST", `/integrations/${NAME}`, {
    title: "Door",
    description: "Signs in",
    visibility: "unlisted",
    organization,
    runtime: "v2",
    scopes: ["site:visitor:auth", "site:metadata:read"],
    categories: ["visitor-auth"],
    script: SCRIPT,
  });
  const installation = await make("POST", `/integrations/${NAME}/installations`, { organization });
  const one = `/integrations/${NAME}/installations/${installation.id}`;
  await make("POST", `${one}/sites`, { siteId: site.id });
  const auth = await eventually(async () => {
    const body = await make<{ integration?: string }>("PATCH", `${path}/publishing/auth`, {
      backend: "integration",
    });
    return body.integration === undefined ? undefined : body;
  });
  expect(auth).toMatchObject({ backend: "integration", integration: NAME });

  const { urls } = await make<{ urls: { published: string } }>("GET", path);
  const get = (url: string, headers = {}) => fetch(url, { redirect: "manual", headers });
  const goOn = async (url: string) => (await get(url)).headers.get("location") ?? "";
  const page = `${urls.published}set-up`;
  const entrance = await eventually(async () => {
    const to = await goOn(page);
    return to.includes("/visitor-auth") ? to : undefined;
  });
  expect(new URL(entrance).searchParams.get("location")).toBe("set-up");
  const provider = await goOn(entrance);
  expect(provider).toContain("/visitor-auth/response");
  const back = await goOn(provider);
  expect(back).toContain(`${page}?jwt_token=`);
  const entered = await get(back);
  expect(entered.status).toBe(302);
  const cookie = entered.headers.get("set-cookie")!.split(";", 1)[0]!;
  const shown = await get(urls.published, { cookie });
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("For members.")]);
  const { visitorAuth } = await make<{ visitorAuth?: object }>("GET", `/spaces/${space}`);
  expect(visitorAuth).toEqual({ backend: "integration", integration: NAME });

  await make("DELETE", one);
  await eventually(async () => (await get(urls.published, { cookie })).status !== 200);
  expect((await get(entrance)).status).toBe(404);
  expect((await get(back)).status).not.toBe(302);
  expect(
    (await make<{ integration?: string }>("GET", `${path}/publishing/auth`)).integration,
  ).toBeUndefined();
});
