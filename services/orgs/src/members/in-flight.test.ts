import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../testing.js";

const { db, rows, as, end } = await startOrgs();
afterAll(end);

interface Things {
  member: string;
  team: string;
  account: string;
  provider: string;
  token: string;
  link: string;
  invite: string;
}
const EVE = "eve@example.com";

/** What changes who may do what, as an administrator sends it. */
const writes: [method: string, path: (of: Things) => string, body?: object][] = [
  ["PATCH", () => "", { sso: false, title: "Mine" }],
  ["POST", () => "/invites", { emails: [EVE], role: "admin" }],
  ["DELETE", ({ invite }) => `/invites/${invite}`],
  ["PUT", () => "/teams", { title: "Mine" }],
  ["PATCH", ({ team }) => `/teams/${team}`, { title: "Mine" }],
  ["DELETE", ({ team }) => `/teams/${team}`],
  ["PUT", ({ team, member }) => `/teams/${team}/members/${member}`, { role: "owner" }],
  ["DELETE", ({ team, member }) => `/teams/${team}/members/${member}`],
  ["PATCH", ({ member }) => `/members/${member}`, { role: "admin" }],
  ["DELETE", ({ member }) => `/members/${member}`],
  ["POST", ({ member }) => `/members/${member}/sso`],
  ["POST", ({ member }) => `/members/${member}/tokens`, { label: "Mine" }],
  ["DELETE", ({ member, token }) => `/members/${member}/tokens/${token}`],
  ["POST", () => "/service-accounts", { title: "Mine", role: "admin" }],
  ["PATCH", ({ account }) => `/service-accounts/${account}`, { role: "admin" }],
  ["DELETE", ({ account }) => `/service-accounts/${account}`],
  ["POST", () => "/saml", { label: "Mine" }],
  ["PATCH", ({ provider }) => `/saml/${provider}`, { label: "Mine" }],
  ["DELETE", ({ provider }) => `/saml/${provider}`],
];

async function furnished() {
  const acme = await rows.organization();
  await rows.member({ organization: acme, role: "admin" });
  const ada = await as({ [acme]: "admin" });
  const member = await rows.member({ organization: acme });
  const team = await rows.team(acme, { [member]: "member" });
  const post = async (path: string, body: object) =>
    (await ada.send("POST", `/v1/orgs/${acme}${path}`, body)).body;
  const account = (await post("/service-accounts", { title: "CI", role: "read" })).id;
  const token = (await post(`/members/${member}/tokens`, { label: "CI" })).id;
  const provider = (await post("/saml", { label: "IdP" })).id;
  const invited = await post("/invites", { emails: ["bob@example.com"] });
  const invite = invited.urls["bob@example.com"].split("/").pop();
  const link = (await ada.call.linkInvites.create({ organizationId: acme, role: "read" })).id;
  return { acme, ada, things: { member, team, account, token, provider, link, invite } };
}

/** All that the organization consists of, and how often anything was done. */
async function stateOf(organization: string) {
  const tables = ["organization", "member", "team", "team_member", "saml_provider", "invite", "token"];
  const all = [];
  for (const table of [...tables, "audit_event"]) {
    const key = table === "organization" ? "id" : "organization";
    const query = sql`select * from ${sql.table(table)} as one where ${sql.ref(key)} = ${organization} order by one::text`;
    all.push((await query.execute(db)).rows);
  }
  return all;
}

test("what somebody sends with an identity from before they were removed or lowered writes nothing", async () => {
  const { acme, ada, things } = await furnished();
  const lower = () => db.updateTable("member").set({ role: "read" }).where("person", "=", ada.id).execute();
  const remove = () => db.deleteFrom("member").where("person", "=", ada.id).execute();
  for (const [lose, status] of [
    [lower, 403],
    [remove, 404],
  ] as const) {
    await lose();
    const before = await stateOf(acme);
    const answers = [];
    for (const [method, path, body] of writes) {
      const answer = await ada.send(method, `/v1/orgs/${acme}${path(things)}`, body);
      answers.push([method, path(things), answer.status]);
    }
    expect(answers).toEqual(writes.map(([method, path]) => [method, path(things), status]));
    const { link: inviteId } = things;
    for (const sent of [
      ada.ask("linkInvites.create", { organizationId: acme, role: "admin" }),
      ada.ask("linkInvites.update", { organizationId: acme, inviteId, role: "admin" }),
      ada.ask("linkInvites.remove", { organizationId: acme, inviteId }),
    ]) {
      expect((await sent).status).toBe(status);
    }
    expect(await stateOf(acme)).toEqual(before);
  }
});

test("an invite that waits for the removal of who sends it to be committed is refused", async () => {
  const { acme, ada } = await furnished();
  const waiting = async () => {
    const { rows: found } = await sql`
      select from pg_locks join pg_stat_activity using (pid)
      where not granted and query like ${`%"organization"%for update%`}
      and pg_blocking_pids(pid) <> '{}'`.execute(db);
    return found.length > 0;
  };
  let sent: ReturnType<typeof ada.send> | undefined;
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom("organization").select("id").where("id", "=", acme).forUpdate().execute();
    await trx.deleteFrom("member").where("organization", "=", acme).where("person", "=", ada.id).execute();
    sent = ada.send("POST", `/v1/orgs/${acme}/invites`, { emails: [EVE], role: "admin" });
    await expect.poll(waiting, { timeout: 20_000 }).toBe(true);
  });
  expect((await sent!).status).toBe(404);
  const invites = db
    .selectFrom("invite")
    .select("id")
    .where("organization", "=", acme)
    .where("email", "=", EVE);
  expect(await invites.execute()).toEqual([]);
});
