import { IDENTITY_CHANGED_HEADER } from "@octavo/shared/identity";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, content, launcher, emitted, end } = await startOrgs();
afterAll(end);

const stored = (id: string) =>
  db.selectFrom("organization").selectAll().where("id", "=", id).executeTakeFirst();
const FLAGS = [
  "admin",
  "createContent",
  "createOpenAPISpec",
  "ingestConversations",
  "installIntegration",
  "listInstallations",
  "listIntegrations",
  "listMembers",
  "listTeams",
  "ownTeam",
  "view",
  "viewBilling",
];

test("POST /orgs makes the caller its administrator, and publishes events", async () => {
  const ada = await as();
  const made = await ada.send("POST", "/v1/orgs", {
    title: "Ada & Co",
    useCase: "docsSite",
    hostname: "ada-co",
  });
  expect(made.status).toBe(201);
  const { id } = made.body;
  expect(made.headers.get("location")).toBe(`http://octavo.test/v1/orgs/${id}`);
  expect(made.headers.get("x-octavo-identity-changed")).toBe(ada.id);
  expect(made.body).toEqual({
    object: "organization",
    id,
    title: "Ada & Co",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    emailDomains: [],
    hostname: "ada-co",
    type: "business",
    useCase: "docsSite",
    defaultRole: null,
    sso: false,
    ai: false,
    inviteLinks: true,
    plan: "free_2024",
    billing: {
      interval: "monthly",
      endDate: null,
      hasPaymentFailed: false,
      isScheduledToCancel: false,
      pricing: {
        members: { plus_2024: { monthly: 0, yearly: 0 }, pro_2024: { monthly: 0, yearly: 0 } },
        sites: { premium: { monthly: 0, yearly: 0 }, ultimate: { monthly: 0, yearly: 0 } },
      },
      usageAddons: {},
    },
    urls: { location: `http://octavo.test/v1/orgs/${id}`, app: `http://octavo.test/app/o/${id}` },
    trial: { status: "notapplicable" },
    permissions: { ...Object.fromEntries(FLAGS.map((flag) => [flag, true])), ownTeam: false },
  });
  expect(await emitted(id)).toEqual([
    ["organization.created", { organization: id }],
    ["member.added", { organization: id, user: ada.id, role: "admin" }],
  ]);
});

test("POST /orgs is followed by reads with an identity that is older than the organization", async () => {
  const ada = await as();
  const { id } = (await ada.send("POST", "/v1/orgs", { title: "Fresh" })).body;
  const read = await ada.send("GET", `/v1/orgs/${id}`);
  expect(read.body.permissions.admin).toBe(true);
  expect((await ada.send("GET", `/v1/orgs/${id}/members`)).body.count).toBe(1);
  expect((await ada.send("PATCH", `/v1/orgs/${id}`, { title: "Fresher" })).status).toBe(200);
});

test("POST /orgs with bad input is 400 with all issues, and nothing is written", async () => {
  const ada = await as();
  const bad = { title: "x", type: "club", hostname: "-a", emailDomains: ["not a domain"], sso: "yes" };
  const { status, body } = await ada.send("POST", "/v1/orgs", bad);
  expect(status).toBe(400);
  expect(body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    "body.emailDomains.0",
    "body.hostname",
    "body.sso",
    "body.title",
    "body.type",
  ]);
  expect((await ada.send("POST", "/v1/orgs")).body.error.issues).toHaveLength(1);
  expect((await ada.send("GET", "/v1/orgs")).body.count).toBe(0);
});

test("POST /orgs by a service is 403", async () => {
  expect((await launcher.send("POST", "/v1/orgs", { title: "Nobody's" })).status).toBe(403);
});

test("GET /orgs pages through the caller's own organizations", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => rows.organization()));
  await rows.organization({ title: "Foreign" });
  const ada = await as(Object.fromEntries(ids.map((id, at) => [id, at === 0 ? null : "read"])));
  await db.updateTable("member").set({ disabled: true }).where("organization", "=", ids[4]!).execute();
  const first = (await ada.send("GET", "/v1/orgs?limit=3")).body;
  const second = (await ada.send("GET", `/v1/orgs?limit=3&page=${first.next.page}`)).body;
  expect([first.count, second.count, second.next]).toEqual([4, 4, undefined]);
  const seen = [...first.items, ...second.items];
  expect(seen.map(({ id }) => id)).toEqual(ids.slice(0, 4).sort());
  expect(seen.find(({ id }) => id === ids[0]).permissions).toEqual({
    ...Object.fromEntries(FLAGS.map((flag) => [flag, false])),
    view: true,
  });
});

test("GET /orgs with a bad limit and a broken cursor is 400", async () => {
  const ada = await as();
  expect((await ada.send("GET", "/v1/orgs?limit=1001")).body.error.issues[0].path).toBe("query.limit");
  expect((await ada.send("GET", "/v1/orgs?page=nonsense")).body.error.issues[0].path).toBe("query.page");
});

test("GET /orgs/{organizationId} shows what the caller's role permits", async () => {
  const acme = await rows.organization();
  const flagsOf = async (role: "admin" | "create" | "read" | null) => {
    const { permissions } = (await (await as({ [acme]: role })).send("GET", `/v1/orgs/${acme}`)).body;
    return FLAGS.filter((flag) => permissions[flag]);
  };
  const read = ["listInstallations", "listIntegrations", "listMembers", "listTeams", "view"];
  const create = ["createContent", "createOpenAPISpec", "ingestConversations", "installIntegration"];
  expect(await flagsOf(null)).toEqual(["view"]);
  expect(await flagsOf("read")).toEqual(read);
  expect(await flagsOf("create")).toEqual([...create, ...read].sort());
  expect(await flagsOf("admin")).toEqual(FLAGS.filter((flag) => flag !== "ownTeam"));
});

test("GET /orgs/{organizationId} shows who owns a team", async () => {
  const acme = await rows.organization();
  const owner = await as({ [acme]: "read" });
  const member = await as({ [acme]: "read" });
  await rows.team(acme, { [owner.id]: "owner", [member.id]: "member" });
  expect((await owner.send("GET", `/v1/orgs/${acme}`)).body.permissions.ownTeam).toBe(true);
  expect((await member.send("GET", `/v1/orgs/${acme}`)).body.permissions.ownTeam).toBe(false);
});

test("GET /orgs/{organizationId} by a stranger, or of none, is 404", async () => {
  const acme = await rows.organization();
  const stranger = await as({ [await rows.organization()]: "admin" });
  const paths = [acme, "unknown", "constructor", "__proto__", "x".repeat(100)];
  for (const id of paths) {
    const { status, body } = await stranger.send("GET", `/v1/orgs/${id}`);
    expect([status, body.error.message]).toEqual([404, "Organization: not found"]);
  }
  expect((await launcher.send("GET", "/v1/orgs/unknown")).status).toBe(404);
});

test("PATCH /orgs/{organizationId} changes what is there, empties what is null, leaves what is absent", async () => {
  const acme = await rows.organization({
    title: "Before",
    default_role: "edit",
    default_site: "site_1",
    ai: true,
  });
  const ada = await as({ [acme]: "admin" });
  const set = {
    title: "After",
    emailDomains: ["Example.COM", "example.com", "docs.example.org"],
    hostname: "after",
    logo: "https://example.com/logo.png",
    sso: true,
    inviteLinks: false,
  };
  const changed = await ada.send("PATCH", `/v1/orgs/${acme}`, set);
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({
    title: "After",
    emailDomains: ["example.com", "docs.example.org"],
    hostname: "after",
    sso: true,
    ai: true,
    inviteLinks: false,
    defaultRole: "edit",
    defaultContent: { type: "site", site: "site_1" },
    urls: { logo: "https://example.com/logo.png" },
  });
  const emptied = await ada.send("PATCH", `/v1/orgs/${acme}`, {
    defaultRole: null,
    defaultContent: null,
    logo: null,
  });
  expect(emptied.body).toMatchObject({ title: "After", hostname: "after", defaultRole: null });
  expect(emptied.body.defaultContent).toBeUndefined();
  expect(emptied.body.urls.logo).toBeUndefined();
  expect(emptied.body).toEqual((await ada.send("GET", `/v1/orgs/${acme}`)).body);
  const updated = ["organization.updated", { organization: acme }];
  expect(await emitted(acme)).toEqual([updated, updated]);
});

test("PATCH /orgs/{organizationId} of sso has the gateway that passes it on drop the identities of its members", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const forgotten = async (set: object) => {
    const { status, headers } = await ada.send("PATCH", `/v1/orgs/${acme}`, set);
    return [status, headers.get(IDENTITY_CHANGED_HEADER)];
  };
  expect(await forgotten({ sso: true })).toEqual([200, acme]);
  expect(await forgotten({ title: "Beta", sso: false })).toEqual([200, acme]);
  expect(await forgotten({ title: "Gamma" })).toEqual([200, null]);
});

test("PATCH /orgs/{organizationId} that names nothing of its own changes nothing and publishes nothing", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const before = await stored(acme);
  const assigned = {
    id: "other",
    plan: "enterprise_2024",
    billing: { interval: "yearly" },
    type: "community",
  };
  expect((await ada.send("PATCH", `/v1/orgs/${acme}`, assigned)).body.plan).toBe("free_2024");
  expect((await ada.send("PATCH", `/v1/orgs/${acme}`)).status).toBe(200);
  expect((await ada.send("PATCH", `/v1/orgs/${acme}`, { organizationId: "other" })).body.id).toBe(acme);
  expect(await stored(acme)).toEqual(before);
  expect(await emitted(acme)).toEqual([]);
});

test("PATCH /orgs/{organizationId} to what is there already changes nothing, and publishes and records nothing", async () => {
  const acme = await rows.organization({ title: "Acme", email_domains: ["acme.example"] });
  const ada = await as({ [acme]: "admin" });
  const before = await stored(acme);
  const same = { title: "Acme", emailDomains: ["ACME.example"], sso: false, logo: null };
  expect((await ada.send("PATCH", `/v1/orgs/${acme}`, same)).status).toBe(200);
  expect(await stored(acme)).toEqual(before);
  expect(await emitted(acme)).toEqual([]);
  expect((await ada.send("GET", `/v1/orgs/${acme}/audit-events`)).body.count).toBe(0);
});

test("PATCH /orgs/{organizationId} to a taken hostname is 409 and writes nothing", async () => {
  await rows.organization({ hostname: "taken" });
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const before = await stored(acme);
  const { status, body } = await ada.send("PATCH", `/v1/orgs/${acme}`, { title: "New", hostname: "taken" });
  expect([status, body.error.reason]).toEqual([409, "hostname_taken"]);
  expect(await stored(acme)).toEqual(before);
});

test("PATCH /orgs/{organizationId} below admin is 403, by a stranger 404", async () => {
  const acme = await rows.organization();
  const before = await stored(acme);
  for (const role of ["create", "read", null] as const) {
    const person = await as({ [acme]: role });
    expect((await person.send("PATCH", `/v1/orgs/${acme}`, { title: "Mine" })).status).toBe(403);
  }
  expect((await (await as()).send("PATCH", `/v1/orgs/${acme}`, { title: "Mine" })).status).toBe(404);
  expect(await stored(acme)).toEqual(before);
});

test("PATCH /orgs/{organizationId} with bad input is 400 with all issues, and writes nothing", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const before = await stored(acme);
  const bad = {
    title: null,
    hostname: null,
    emailDomains: ["ok.example", "a@b.example"],
    defaultRole: "owner",
    defaultContent: { type: "space", site: "x" },
    logo: "not an address",
    ai: 1,
  };
  const { status, body } = await ada.send("PATCH", `/v1/orgs/${acme}`, bad);
  expect(status).toBe(400);
  expect(body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    "body.ai",
    "body.defaultContent.type",
    "body.defaultRole",
    "body.emailDomains.1",
    "body.hostname",
    "body.logo",
    "body.title",
  ]);
  for (const hostname of ["ab", "a".repeat(33), "-abc", "abc-", "Abc", "a_c", "a.c"]) {
    expect((await ada.send("PATCH", `/v1/orgs/${acme}`, { hostname })).status).toBe(400);
  }
  for (const title of ["x", "x".repeat(256), "nul\0nul"]) {
    expect((await ada.send("PATCH", `/v1/orgs/${acme}`, { title })).status).toBe(400);
  }
  expect(await stored(acme)).toEqual(before);
});

test("organizations.lookup shows any organization, from outside to those who do not belong to it", async () => {
  const acme = await rows.organization({ email_domains: ["acme.example"] });
  const beta = await rows.organization({ email_domains: ["beta.example"] });
  const ada = await as({ [acme]: "read" });
  const found = await ada.call.organizations.lookup({ ids: [acme, beta, "unknown"] });
  const [own, foreign] = [acme, beta].map((id) => found.find((organization) => organization.id === id));
  expect(found).toHaveLength(2);
  expect([own!.emailDomains, own!.permissions.listMembers]).toEqual([["acme.example"], true]);
  expect([foreign!.id, foreign!.emailDomains, foreign!.billing]).toEqual([beta, [], undefined]);
  expect(Object.values(foreign!.permissions).some(Boolean)).toBe(false);
  const all = await content.call.organizations.lookup({ ids: [beta] });
  expect(all[0]!.permissions.admin).toBe(true);
  await expect(ada.call.organizations.lookup({ ids: Array(1001).fill(acme) })).rejects.toThrow();
});

test("GET /email-domains/{emailDomain}/orgs shows people of the domain what they may join", async () => {
  const domain = `d${Date.now()}.example`;
  const acme = await rows.organization({ email_domains: [domain, "other.example"] });
  const beta = await rows.organization({ email_domains: [domain] });
  const sub = await rows.organization({ email_domains: [`sub.${domain}`] });
  for (const organization of [acme, beta]) await rows.verifiedDomains(organization, domain);
  await rows.verifiedDomains(sub, `sub.${domain}`);
  const claimed = await rows.organization({ email_domains: [domain] });
  const given = await rows.organization();
  await rows.verifiedDomains(given, domain);
  const list = async ({ send }: Pick<Awaited<ReturnType<typeof as>>, "send">, of = domain.toUpperCase()) => {
    const { status, body } = await send("GET", `/v1/email-domains/${of}/orgs`);
    expect(status).toBe(200);
    return body.organizations.map(({ id }: { id: string }) => id).toSorted();
  };
  const owner = async (email: string, email_verified = true) =>
    as({}, { id: await rows.person({ email, email_verified }) });
  const both = [acme, beta].toSorted();
  expect(await list(await owner(`ada@${domain}`))).toEqual(both);
  expect(await list(launcher)).toEqual(both);
  expect(await list(await owner(`eve@${domain}`, false))).toEqual([]);
  expect(await list(await owner(`eve@sub.${domain}`))).toEqual([]);
  expect(await list(await as({ [beta]: "read" }))).toEqual([beta]);
  expect(await list(await as({ [claimed]: "read", [given]: "read" }))).toEqual([claimed]);
  expect(await list(await as(), "nobody.example")).toEqual([]);
  expect((await (await as()).send("GET", "/v1/email-domains/nonsense/orgs")).status).toBe(400);
});

test("PATCH /orgs/{organizationId} takes a logo at a web address alone", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  for (const logo of ["javascript:alert(1)", "data:text/html,x", "ftp://a.example/x.png"])
    expect((await ada.send("PATCH", `/v1/orgs/${acme}`, { logo })).status).toBe(400);
});
