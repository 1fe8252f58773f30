import { newId } from "@octavo/shared/ids";
import { startDns } from "@octavo/shared/testing/dns";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const dns = await startDns();
const { db, rows, as, clock, launcher, end } = await startOrgs({ dnsServers: [dns.server] });
afterAll(() => Promise.all([end(), dns.close()]));

const domainsOf = (organization: string) => `/v1/orgs/${organization}/email-domains`;
const fresh = () => `${newId().toLowerCase()}.example`;
const challenge = (organization: string, domain: string) => ({
  type: "TXT",
  name: `_octavo.${domain}`,
  value: `octavo-verification=${organization}`,
});

async function acmeWith(...domains: string[]) {
  const organization = await rows.organization({ email_domains: domains });
  const admin = await as({ [organization]: "admin" });
  const verify = (domain: string, by = admin) =>
    by.send("POST", `${domainsOf(organization)}/${domain}/verify`);
  const statuses = async () => {
    const { items } = (await admin.send("GET", domainsOf(organization))).body;
    return items.map(({ domain, status }: Record<string, string>) => [domain, status]);
  };
  const publish = (domain: string) =>
    dns.records.set(`_octavo.${domain}`, [challenge(organization, domain).value]);
  return { organization, admin, verify, statuses, publish };
}

test("GET /orgs/{organizationId}/email-domains returns for each domain which record verifies it", async () => {
  const [one, two] = ["a.example", "b.example"] as const;
  const { organization, admin } = await acmeWith(two, one);
  const { status, body } = await admin.send("GET", domainsOf(organization));
  const shown = (domain: string) => ({
    object: "email-domain",
    domain,
    status: "pending",
    record: challenge(organization, domain),
    urls: { location: `http://octavo.test${domainsOf(organization)}/${domain}` },
  });
  expect([status, body]).toEqual([200, { items: [shown(one), shown(two)] }]);
  const got = await admin.send("GET", `${domainsOf(organization)}/A.example`);
  expect([got.status, got.body]).toEqual([200, shown(one)]);
  expect((await admin.send("GET", `${domainsOf(organization)}/c.example`)).status).toBe(404);
});

test("POST …/email-domains/{emailDomain}/verify finds the record among others, and does not look twice", async () => {
  const domain = fresh();
  const { organization, verify, statuses, admin } = await acmeWith(domain);
  const { name, value } = challenge(organization, domain);
  dns.records.set(name, ["v=spf1 -all", "x".repeat(900), value]);
  clock.now = () => new Date("2030-01-02T03:04:05.006Z");
  const { status, body } = await verify(domain.toUpperCase());
  clock.now = () => new Date();
  expect([status, body.status, body.verifiedAt]).toEqual([200, "verified", "2030-01-02T03:04:05.006Z"]);
  dns.records.delete(name);
  const again = await verify(domain);
  expect([again.status, again.body]).toEqual([200, body]);
  expect(dns.asked.filter((asked) => asked === name)).toHaveLength(1);
  expect(await statuses()).toEqual([[domain, "verified"]]);
  const { items } = (
    await admin.send("GET", `/v1/orgs/${organization}/audit-events?action=email-domain.verify`)
  ).body;
  expect(items).toMatchObject([{ target: { type: "email-domain", id: domain }, details: { by: "dns" } }]);
});

test("a domain without the right record is 409 with what was looked for and found, and stays pending", async () => {
  const domain = fresh();
  const { organization, verify, statuses } = await acmeWith(domain);
  const { name, value } = challenge(organization, domain);
  const wanted = `E-mail domain: the TXT record ${name} has to hold "${value}"; `;
  for (const [held, reason, found] of [
    [undefined, "record_not_found", "no TXT record was found"],
    [[], "record_not_found", "no TXT record was found"],
    ["SERVFAIL", "dns_failed", "the look-up failed (ESERVFAIL)"],
    [["octavo-verification=other"], "record_mismatch", 'found was "octavo-verification=other"'],
    [
      [`${value}x`, "y".repeat(300), "3", "4", "5", "6", "7"],
      "record_mismatch",
      `found was "${value}x", "${"y".repeat(100)}", "3", "4", "5" and 2 more`,
    ],
  ] as const) {
    if (held === undefined) dns.records.delete(name);
    else dns.records.set(name, held === "SERVFAIL" ? held : [...held]);
    const { status, body } = await verify(domain);
    expect([status, body.error.reason, body.error.message]).toEqual([409, reason, wanted + found]);
  }
  expect(await statuses()).toEqual([[domain, "pending"]]);
});

test("a DNS server that does not respond is 409 after a while", async () => {
  const domain = fresh();
  const { verify } = await acmeWith(domain);
  dns.records.set(`_octavo.${domain}`, "silence");
  const { status, body } = await verify(domain);
  expect([status, body.error.reason]).toEqual([409, "dns_failed"]);
});

test("two organizations verify one domain, each by a record of its own", async () => {
  const domain = fresh();
  const [acme, beta] = [await acmeWith(domain), await acmeWith(domain)];
  acme.publish(domain);
  expect((await acme.verify(domain)).status).toBe(200);
  expect((await beta.verify(domain)).body.error.reason).toBe("record_mismatch");
  dns.records.set(`_octavo.${domain}`, [
    challenge(acme.organization, domain).value,
    challenge(beta.organization, domain).value,
  ]);
  expect((await beta.verify(domain)).status).toBe(200);
  expect([await acme.statuses(), await beta.statuses()]).toEqual([
    [[domain, "verified"]],
    [[domain, "verified"]],
  ]);
});

test("taking a domain away ends its verification, and no other's", async () => {
  const [domain, other] = [fresh(), fresh()].toSorted() as [string, string];
  const { organization, admin, verify, statuses, publish } = await acmeWith(domain, other);
  for (const each of [domain, other]) {
    publish(each);
    expect((await verify(each)).status).toBe(200);
  }
  const set = (emailDomains: string[]) => admin.send("PATCH", `/v1/orgs/${organization}`, { emailDomains });
  expect((await set([other])).body.emailDomains).toEqual([other]);
  expect((await verify(domain)).status).toBe(404);
  expect((await set([other, domain])).status).toBe(200);
  expect((await admin.send("PATCH", `/v1/orgs/${organization}`, { title: "Renamed" })).status).toBe(200);
  expect(await statuses()).toEqual([
    [domain, "pending"],
    [other, "verified"],
  ]);
});

test("a domain that is taken away while it is verified is not verified afterwards", async () => {
  for (let round = 0; round < 5; round++) {
    const domain = fresh();
    const { organization, admin, verify, publish } = await acmeWith(domain);
    publish(domain);
    const [verified] = await Promise.all([
      verify(domain),
      admin.send("PATCH", `/v1/orgs/${organization}`, { emailDomains: [] }),
    ]);
    expect([200, 404]).toContain(verified.status);
    const left = db.selectFrom("email_domain").select("domain").where("organization", "=", organization);
    expect(await left.execute()).toEqual([]);
  }
});

test("the e-mail domains are 403 below admin, 404 to a stranger; bad input 400", async () => {
  const domain = fresh();
  const { organization, admin, verify, publish, statuses } = await acmeWith(domain);
  publish(domain);
  for (const [person, status] of [
    [await as({ [organization]: "create" }), 403],
    [await as({ [organization]: null }), 403],
    [await as({ [await rows.organization()]: "admin" }), 404],
  ] as const) {
    expect((await person.send("GET", domainsOf(organization))).status).toBe(status);
    expect((await person.send("GET", `${domainsOf(organization)}/${domain}`)).status).toBe(status);
    expect((await verify(domain, person)).status).toBe(status);
  }
  expect((await verify("x".repeat(254))).status).toBe(400);
  expect((await verify("nonsense")).status).toBe(404);
  expect((await verify("other.example")).status).toBe(404);
  expect((await admin.send("GET", domainsOf("unknown"))).status).toBe(404);
  expect(await statuses()).toEqual([[domain, "pending"]]);
  expect((await launcher.send("GET", domainsOf(organization))).status).toBe(200);
});
