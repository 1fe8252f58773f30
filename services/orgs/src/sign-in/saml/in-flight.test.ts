import { sql, type Transaction } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { Database } from "../../db/database.js";
import { startOrgs } from "../../testing/orgs.js";
import { newIdentity } from "./testing-certificate.js";
import { signInTest } from "./testing-sign-in.js";

const orgs = await startOrgs();
const { db, rows } = orgs;
afterAll(orgs.end);

type Acme = Awaited<ReturnType<typeof signInTest>> & { team: string };
type Change = (trx: Transaction<Database>, of: Acme) => Promise<unknown>;

const codeOf = (location: string | null) => new URL(location!).searchParams.get("code")!;
const personOf = (email: string) =>
  db.selectFrom("person").select("id").where("email", "=", email).executeTakeFirst();

/** A newcomer's sign-in that waits for the organization while somebody else changes something there. */
async function signInDuring(change: Change) {
  const acme = await signInTest(orgs);
  const team = await rows.team(acme.organization);
  const email = `${acme.organization.toLowerCase()}@example.com`;
  const form = await acme.idp.signIn(await acme.start(), await acme.metadata(), { email });
  const waiting = sql`
    select from pg_locks join pg_stat_activity using (pid)
    where not granted and query like '%"organization"%for update%' and pg_blocking_pids(pid) <> '{}'`;
  let posted: ReturnType<typeof acme.post> | undefined;
  await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom("organization")
      .select("id")
      .where("id", "=", acme.organization)
      .forUpdate()
      .execute();
    posted = acme.post(form);
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBeGreaterThan(0);
    await change(trx, { ...acme, team });
  });
  return { acme, response: await posted!, email };
}

test.each<[string, Change, string]>([
  [
    "its domain is verified no more",
    (trx, { organization }) =>
      trx.deleteFrom("email_domain").where("organization", "=", organization).execute(),
    "email_domain_not_verified",
  ],
  [
    "the organization names its domain no more",
    (trx, { organization }) =>
      trx.updateTable("organization").set({ email_domains: [] }).where("id", "=", organization).execute(),
    "outside_email_domains",
  ],
  [
    "the identity provider has another certificate",
    (trx, { provider }) =>
      trx
        .updateTable("saml_provider")
        .set({ certificate: newIdentity().certificate })
        .where("id", "=", provider.id)
        .execute(),
    "provider_changed",
  ],
  [
    "the identity provider is deleted",
    (trx, { provider }) => trx.deleteFrom("saml_provider").where("id", "=", provider.id).execute(),
    "provider_changed",
  ],
])("a sign-in is refused, and makes nobody, when %s by the time it counts", async (_, change, reason) => {
  const { response, email } = await signInDuring(change);
  expect([response.status, response.body.error.reason]).toEqual([403, reason]);
  expect(await personOf(email)).toBeUndefined();
});

test("a newcomer gets the role that the identity provider gives by the time it counts, and no team that is gone", async () => {
  const { acme, response, email } = await signInDuring(async (trx, { provider, team }) => {
    const set = { default_role: null, default_team: team };
    await trx.updateTable("saml_provider").set(set).where("id", "=", provider.id).execute();
    await trx.deleteFrom("team").where("id", "=", team).execute();
  });
  expect(response.status).toBe(303);
  const { id } = (await personOf(email))!;
  const member = await acme.admin.send("GET", `/v1/orgs/${acme.organization}/members/${id}`);
  expect(member.body).toMatchObject({ role: null, teams: 0, sso: true });
});

test("a code that is exchanged while its identity provider is deleted is 400, and brings no token", async () => {
  const acme = await signInTest(orgs);
  const { location } = await acme.signIn({ email: "kim@example.com" });
  const kim = (await personOf("kim@example.com"))!;
  const { id } = acme.provider;
  const response = await db.transaction().execute(async (trx) => {
    await trx.selectFrom("saml_provider").select("id").where("id", "=", id).forUpdate().execute();
    const sent = acme.exchange(codeOf(location));
    const taken = () => db.selectFrom("sso_code").select("hash").where("person", "=", kim.id).execute();
    await expect.poll(async () => (await taken()).length).toBe(0);
    await trx.deleteFrom("saml_provider").where("id", "=", id).execute();
    return { sent };
  });
  expect((await response.sent).body).toMatchObject({ error: { code: 400, reason: "invalid_code" } });
  expect(await db.selectFrom("token").select("id").where("person", "=", kim.id).execute()).toEqual([]);
});

test("a response that is posted by many at once, and its code that many exchange, make one person and one token", async () => {
  const acme = await signInTest(orgs);
  const email = "one@example.com";
  const form = await acme.idp.signIn(await acme.start(), await acme.metadata(), { email });
  const posted = await Promise.all(Array.from({ length: 20 }, () => acme.post(form)));
  const [letIn, ...others] = posted.sort((one, other) => one.status - other.status);
  expect([letIn!.status, ...new Set(others.map(({ status }) => status))]).toEqual([303, 403]);
  const code = codeOf(letIn!.location);
  const exchanged = await Promise.all(Array.from({ length: 20 }, () => acme.exchange(code)));
  expect(exchanged.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
  const { id } = (await personOf(email))!;
  const tokens = await db.selectFrom("token").select("saml_provider").where("person", "=", id).execute();
  expect(tokens).toEqual([{ saml_provider: acme.provider.id }]);
});
