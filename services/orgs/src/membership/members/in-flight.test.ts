import { operationsOf } from "@octavo/shared/rest/routes";
import { inFlight } from "@octavo/shared/testing/in-flight";
import { type Kysely, sql, type Transaction } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { Database } from "../../db/database.js";
import { router } from "../../router.js";
import { startOrgs } from "../../testing/orgs.js";

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
/** For the names of tests. */
const NAMES: Things = {
  member: "{member}",
  team: "{team}",
  account: "{account}",
  provider: "{provider}",
  token: "{token}",
  link: "{link}",
  invite: "{invite}",
};
const EVE = "eve@example.com";

/** What changes who may do what, as an administrator sends it. */
const writes: [method: string, path: (of: Things) => string, body?: object][] = [
  ["PATCH", () => "", { sso: false, title: "Mine" }],
  ["POST", () => "/invites", { emails: [EVE], role: "admin" }],
  ["DELETE", ({ invite }) => `/invites/${invite}`],
  ["PUT", () => "/teams", { title: "Mine" }],
  ["PATCH", ({ team }) => `/teams/${team}`, { title: "Mine" }],
  ["DELETE", ({ team }) => `/teams/${team}`],
  ["PUT", ({ team }) => `/teams/${team}/members`, { remove: [] }],
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
async function stateOf(organization: string, within: Kysely<Database> = db) {
  const tables = ["organization", "member", "team", "team_member", "saml_provider", "invite", "token"];
  const all = [];
  for (const table of [...tables, "audit_event"]) {
    const key = table === "organization" ? "id" : "organization";
    const query = sql`select * from ${sql.table(table)} as one where ${sql.ref(key)} = ${organization} order by one::text`;
    all.push((await query.execute(within)).rows);
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
    const responses = [];
    for (const [method, path, body] of writes) {
      const response = await ada.send(method, `/v1/orgs/${acme}${path(things)}`, body);
      responses.push([method, path(things), response.status]);
    }
    expect(responses).toEqual(writes.map(([method, path]) => [method, path(things), status]));
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

/** The operation that a path belongs to. */
const operations = operationsOf(router).filter(({ type }) => type === "mutation");
const operationOf = (method: string, path: string) => {
  const matches = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return operations.find((one) => one.method === method && matches(one.path))!.name;
};

/** What no organization decides: one's own account, and coming into one. */
const OWN_AFFAIR =
  /^(users|emailVerification)\.|^tokens\.(create|revoke)$|^organizations\.create$|^invites\.join$/;
/** Not here: the one waits for the DNS before it takes its turn, the other writes nothing that anybody decides by. */
const ELSEWHERE = ["emailDomains.verify", "members.ping"];

test("the table of writes names every operation with which a member changes an organization", () => {
  const named = writes.map(([method, path]) => operationOf(method, `/orgs/acme${path(NAMES)}`));
  const missing = operations
    .map(({ name }) => name)
    .filter((name) => !OWN_AFFAIR.test(name) && !ELSEWHERE.includes(name) && !named.includes(name));
  expect(missing).toEqual([]);
});

const lost: [
  what: string,
  status: number,
  lose: (trx: Transaction<Database>, person: string) => Promise<unknown>,
][] = [
  ["removal", 404, (trx, person) => trx.deleteFrom("member").where("person", "=", person).execute()],
  [
    "loss of the role",
    403,
    (trx, person) => trx.updateTable("member").set({ role: "read" }).where("person", "=", person).execute(),
  ],
];

test.each(
  lost.flatMap(([what, status, lose]) =>
    writes.map((write) => ({ what, status, lose, write, name: `${write[0]} ${write[1](NAMES)}` })),
  ),
)("$name that waits for the $what of who sends it writes nothing", async ({ status, lose, write }) => {
  const [method, path, body] = write;
  const { acme, ada, things } = await furnished();
  let before: unknown;
  const ended = await inFlight(db, {
    hold: (trx) => trx.selectFrom("organization").select("id").where("id", "=", acme).forUpdate().execute(),
    write: () => ada.send(method, `/v1/orgs/${acme}${path(things)}`, body),
    change: async (trx) => {
      await lose(trx, ada.id);
      before = await stateOf(acme, trx);
    },
  });
  expect(ended).toMatchObject({ status: "fulfilled", value: { status } });
  expect(await stateOf(acme)).toEqual(before);
});
