import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";
import { newIdentity } from "./testing-certificate.js";

const { rows, as, emitted, end } = await startOrgs();
afterAll(end);

const { certificate } = newIdentity();
const complete = { entityID: "https://idp.example.com", ssoURL: "https://idp.example.com/sso", certificate };

async function acme(over: Parameters<typeof rows.organization>[0] = {}) {
  const organization = await rows.organization(over);
  return {
    organization,
    path: `/v1/orgs/${organization}/saml`,
    admin: await as({ [organization]: "admin" }),
  };
}

test("POST /orgs/{organizationId}/saml makes a pending provider of a label, which becomes active when complete", async () => {
  const { organization, path, admin } = await acme({ default_role: "comment" });
  const { status, body, headers } = await admin.send("POST", path, { label: "Acme" });
  expect([status, headers.get("location")]).toEqual([201, body.urls.location]);
  const base = `http://octavo.test/v1/sso/saml/${body.id}`;
  expect(body).toEqual({
    object: "saml-provider",
    id: body.id,
    label: "Acme",
    ssoURL: "",
    entityID: "",
    certificate: "",
    defaultRole: "comment",
    createdAt: expect.any(String),
    status: "pending",
    service: { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` },
    urls: { location: `http://octavo.test/v1/orgs/${organization}/saml/${body.id}` },
  });
  const one = `${path}/${body.id}`;
  for (const [name, value] of Object.entries(complete)) {
    const logins = await admin.send("GET", `/v1/orgs/${organization}/sso`);
    expect(logins.body).toEqual({ items: [] });
    expect((await admin.send("PATCH", one, { [name]: value })).status).toBe(200);
  }
  expect((await admin.send("GET", one)).body).toMatchObject({ status: "active", ssoURL: complete.ssoURL });
  const guest = await as({ [organization]: null });
  expect((await guest.send("GET", `/v1/orgs/${organization}/sso`)).body).toEqual({
    items: [{ id: body.id, label: "Acme", startURL: `${base}/start` }],
  });
  expect((await admin.send("PATCH", one, { certificate: "" })).body.status).toBe("pending");
});

test("POST /orgs/{organizationId}/saml takes a certificate as PEM or base64, and refuses everything else", async () => {
  const { path, admin } = await acme();
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, "");
  for (const good of [certificate, base64, `\n ${certificate} `, certificate.replaceAll("\n", "\r\n")])
    expect((await admin.send("POST", path, { label: "x", certificate: good })).status).toBe(201);
  for (const bad of [
    "nonsense",
    base64.slice(0, -8),
    certificate + certificate,
    Buffer.from("nonsense").toString("base64"),
    newIdentity("short", 1024).certificate,
    newIdentity().key,
    `${newIdentity().key}${certificate}`,
  ]) {
    const { status, body } = await admin.send("POST", path, { label: "x", certificate: bad });
    expect([status, body.error.issues[0].path], bad).toEqual([400, "body.certificate"]);
    expect(JSON.stringify(body)).not.toContain(bad.slice(40, 80) || bad);
  }
});

test("POST /orgs/{organizationId}/saml with a team of another organization is 400", async () => {
  const { organization, path, admin } = await acme();
  const foreign = await rows.team((await acme()).organization);
  for (const defaultTeam of [foreign, "unknown"]) {
    const { status, body } = await admin.send("POST", path, { label: "x", defaultTeam });
    expect([status, body.error.issues[0].path]).toEqual([400, "body.defaultTeam"]);
  }
  const own = await rows.team(organization);
  const made = await admin.send("POST", path, { label: "x", defaultTeam: own, defaultRole: null });
  expect(made.body).toMatchObject({
    defaultRole: null,
    defaultTeam: { object: "team", id: own, title: "Writers" },
  });
  expect((await admin.send("DELETE", `/v1/orgs/${organization}/teams/${own}`)).status).toBe(204);
  const after = await admin.send("GET", `${path}/${made.body.id}`);
  expect(after.body).not.toHaveProperty("defaultTeam");
});

test("PATCH /orgs/{organizationId}/saml/{samlProviderId} changes what is there, and nothing that is not for it", async () => {
  const { path, admin } = await acme();
  const { body } = await admin.send("POST", path, { label: "Acme", ...complete });
  const changes = { label: "New", status: "pending", id: "other", organization: "other", createdAt: "2020" };
  const changed = await admin.send("PATCH", `${path}/${body.id}`, changes);
  expect(changed.body).toEqual({ ...body, label: "New" });
  expect((await admin.send("PATCH", `${path}/${body.id}`, {})).body).toEqual({ ...body, label: "New" });
  const same = await admin.send("PATCH", `${path}/${body.id}`, { label: "New" });
  expect(same.body).toEqual({ ...body, label: "New" });
  const audit = await admin.send("GET", `${path.replace(/saml$/, "audit-events")}?action=saml.update`);
  expect(audit.body.items).toMatchObject([{ details: { label: { to: "New" } } }]);
});

test("GET /orgs/{organizationId}/saml lists in pages; another organization's provider is 404", async () => {
  const { path, admin } = await acme();
  for (const label of ["one", "two", "three"]) await admin.send("POST", path, { label });
  const first = (await admin.send("GET", `${path}?limit=2`)).body;
  const second = (await admin.send("GET", `${path}?limit=2&page=${first.next.page}`)).body;
  expect([...first.items, ...second.items].map(({ label }) => label)).toEqual(["one", "two", "three"]);
  expect([first.count, second.next]).toEqual([3, undefined]);
  const other = await acme();
  const foreign = `${other.path}/${first.items[0].id}`;
  expect((await other.admin.send("GET", foreign)).status).toBe(404);
  expect((await other.admin.send("PATCH", foreign, { label: "Mine" })).status).toBe(404);
  expect((await other.admin.send("DELETE", foreign)).status).toBe(204);
  expect((await admin.send("GET", path)).body.count).toBe(3);
});

test("the providers are for administrators: 403 for other members, 404 for strangers", async () => {
  const { organization, path, admin } = await acme();
  const { id } = (await admin.send("POST", path, { label: "Acme" })).body;
  for (const [caller, status] of [
    [await as({ [organization]: "create" }), 403],
    [await as({ [organization]: null }), 403],
    [await as(), 404],
  ] as const) {
    expect((await caller.send("GET", path)).status).toBe(status);
    expect((await caller.send("POST", path, { label: "x" })).status).toBe(status);
    expect((await caller.send("GET", `${path}/${id}`)).status).toBe(status);
    expect((await caller.send("PATCH", `${path}/${id}`, { label: "x" })).status).toBe(status);
    expect((await caller.send("DELETE", `${path}/${id}`)).status).toBe(status);
  }
  expect((await (await as()).send("GET", `/v1/orgs/${organization}/sso`)).status).toBe(404);
});

test("DELETE /orgs/{organizationId}/saml/{samlProviderId} notifies the gateways; twice is 204 too", async () => {
  const { organization, path, admin } = await acme();
  const { id } = (await admin.send("POST", path, { label: "Acme" })).body;
  expect((await admin.send("DELETE", `${path}/${id}`)).status).toBe(204);
  expect((await admin.send("DELETE", `${path}/${id}`)).status).toBe(204);
  expect((await admin.send("GET", `${path}/${id}`)).status).toBe(404);
  expect(await emitted(organization)).toEqual([["organization.updated", { organization }]]);
});

test("POST /orgs/{organizationId}/saml with a bad certificate and a bad team is 400 with both issues", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const wrong = { label: "IdP", certificate: "none", defaultTeam: "none" };
  const { status, body } = await ada.send("POST", `/v1/orgs/${acme}/saml`, wrong);
  const paths = body.error.issues.map(({ path }: { path: string }) => path);
  expect([status, paths]).toEqual([400, ["body.certificate", "body.defaultTeam"]]);
});
