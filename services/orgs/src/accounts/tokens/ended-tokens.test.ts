import { newBearer } from "@octavo/shared/bearer";
import { newId } from "@octavo/shared/ids";
import { type Kysely, sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { Database } from "../../db/database.js";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, asCaller, gateway, emitted, end } = await startOrgs();
afterAll(end);

const resolve = async (token: string) => (await gateway.call.tokens.resolve({ token }))?.caller;
const pathOf = (organization: string, person: string) => `/v1/orgs/${organization}/members/${person}/tokens`;
const idsOf = async (person: string) => {
  const made = await db.selectFrom("token").select("id").where("person", "=", person).execute();
  return made.map(({ id }) => id).sort();
};

/** A token that an administrator made for somebody who administers another organization, and who sends with it. */
async function bound() {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  const [ada, eve] = [await as({ [acme]: "admin" }), await as({ [acme]: "admin" })];
  const bob = await rows.member({ organization: acme });
  await rows.member({ organization: beta, person: bob, role: "admin" });
  const made = (await eve.send("POST", pathOf(acme, bob), { label: "CI" })).body;
  const caller = await resolve(made.token);
  return { acme, beta, ada, eve, bob, made, sender: asCaller(caller!) };
}

type Transaction = Kysely<Database>;

/** Starts a request while a transaction holds what it did, lets the transaction commit when the request waits for it, and returns the response. */
async function overtake<T>(first: (db: Transaction) => Promise<unknown>, request: () => Promise<T>) {
  const started = await db.transaction().execute(async (transaction) => {
    await first(transaction);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    const response = request();
    const isAwaited = () => waits(rows[0]!.pid);
    await expect.poll(isAwaited, { interval: 20 }).toBe(true);
    return { response };
  });
  return started.response;
}

/** Whether anybody waits for a transaction; queried outside of it, since who is there stays the same for as long as one lasts. */
async function waits(pid: number): Promise<boolean> {
  const blocked = sql`select pid from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
  return (await blocked.execute(db)).rows.length > 0;
}

test.each<[string, (id: string) => Promise<unknown>]>([
  ["was revoked", (id) => db.deleteFrom("token").where("id", "=", id).execute()],
  [
    "has expired",
    (id) =>
      db.updateTable("token").set({ expires_at: "2020-01-01T00:00:00Z" }).where("id", "=", id).execute(),
  ],
])("a token bound to an organization that %s a moment ago reaches nothing more", async (_, finish) => {
  const { acme, beta, bob, made, sender } = await bound();
  const open = await rows.organization({ email_domains: ["example.com"] });
  await rows.verifiedDomains(open, "example.com");
  const friend = await rows.member({ organization: beta });
  await finish(made.id);
  const before = await idsOf(bob);
  for (const [method, path] of [
    ["POST", "/v1/user/tokens"],
    ["GET", "/v1/user/tokens"],
    ["GET", `/v1/user/tokens/${made.id}`],
    ["DELETE", `/v1/user/tokens/${made.id}`],
    ["POST", "/v1/orgs"],
    ["POST", `/v1/orgs/${open}/join`],
    ["PATCH", `/v1/users/${bob}`],
    ["GET", "/v1/email-domains/example.com/orgs"],
  ] as const) {
    const body = method === "GET" ? undefined : { label: "y", title: "Mine", displayName: "Mine" };
    const response = await sender.send(method, path, body);
    expect([path, response.status, response.body.error?.reason]).toEqual([path, 401, "invalid_token"]);
    expect(response.headers.get("www-authenticate")).toContain("invalid_token");
  }
  expect((await sender.accept(`/orgs/${open}/invites/x`)).status).toBe(401);
  const title = { title: "Mine" };
  for (const [method, path, body] of [
    ["GET", `/v1/orgs/${beta}`, undefined],
    ["PATCH", `/v1/orgs/${beta}`, title],
    ["GET", `/v1/orgs/${beta}/members`, undefined],
    ["GET", `/v1/users/${friend}`, undefined],
  ] as const) {
    expect([path, (await sender.send(method, path, body)).status]).toEqual([path, 404]);
  }
  expect((await sender.send("GET", "/v1/orgs")).body.items).toEqual([]);
  expect(await idsOf(bob)).toEqual(before);
  const asAdmin = asCaller({ ...sender.caller, organizations: { [acme]: "admin" } } as never);
  await db
    .updateTable("member")
    .set({ role: "admin" })
    .where("organization", "=", acme)
    .where("person", "=", bob)
    .execute();
  expect((await asAdmin.send("POST", pathOf(acme, bob), { label: "z" })).status).toBe(401);
});

test("tokens made with a token end when it is revoked, with an event for each", async () => {
  const ada = await as();
  const make = async (sender: Pick<typeof ada, "send">) =>
    (await sender.send("POST", "/v1/user/tokens", { label: "x" })).body;
  const parent = await make(ada);
  const child = await make(asCaller((await resolve(parent.token))!));
  const grandchild = await make(asCaller((await resolve(child.token))!));
  const other = await make(ada);
  const revoked = await ada.send("DELETE", `/v1/user/tokens/${parent.id}`);
  const ids = [parent.id, child.id, grandchild.id].sort();
  expect(revoked.headers.get("x-octavo-identity-changed")?.split(",").sort()).toEqual(ids);
  expect(await idsOf(ada.id)).toEqual([ada.caller.kind === "user" && ada.caller.token, other.id].sort());
  expect((await emitted(ada.id)).map(([, payload]) => (payload as { token: string }).token).sort()).toEqual(
    ids,
  );
});

test("a token that revokes the one it was made with takes its place", async () => {
  const ada = await as();
  const make = async (sender: Pick<typeof ada, "send">) =>
    (await sender.send("POST", "/v1/user/tokens", { label: "x" })).body;
  const first = await make(ada);
  const asFirst = asCaller((await resolve(first.token))!);
  const [second, sibling] = [await make(asFirst), await make(asFirst)];
  const asSecond = asCaller((await resolve(second.token))!);
  const child = await make(asSecond);
  expect((await asSecond.send("DELETE", `/v1/user/tokens/${first.id}`)).status).toBe(204);
  expect(await resolve(sibling.token)).toBeUndefined();
  for (const { token } of [second, child]) expect((await resolve(token))?.id).toBe(ada.id);
  const own = ada.caller.kind === "user" ? ada.caller.token : "";
  expect((await ada.send("DELETE", `/v1/user/tokens/${own}`)).status).toBe(204);
  expect(await idsOf(ada.id)).toEqual([]);
});

test("a token that ends the one of somebody else that it was made with ends with it", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const bob = await rows.member({ organization: acme, role: "admin" });
  const issue = async (sender: Pick<typeof ada, "send">, person: string) =>
    (await sender.send("POST", pathOf(acme, person), { label: "x" })).body;
  const hers = await issue(ada, ada.id);
  const his = await issue(asCaller((await resolve(hers.token))!), bob);
  const asHim = asCaller((await resolve(his.token))!);
  expect((await asHim.send("DELETE", `${pathOf(acme, ada.id)}/${hers.id}`)).status).toBe(204);
  for (const { token } of [hers, his]) expect(await resolve(token)).toBeUndefined();
});

/** Inserts what a request of the token is about to make, as that request does. */
const makeChild = (db: Transaction, parent: string, id: string) =>
  sql`insert into token (id, person, organization, hash, label, made_by, made_with)
    select ${id}, person, organization, sha256(${newBearer()}::bytea), 'Child', made_by, id
    from token where id = ${parent}`.execute(db);

test.each<[string, (given: Awaited<ReturnType<typeof bound>>) => Promise<{ status: number }>]>([
  ["is revoked", ({ ada, acme, bob, made }) => ada.send("DELETE", `${pathOf(acme, bob)}/${made.id}`)],
  [
    "ends with its maker's role",
    ({ ada, acme, eve }) => ada.send("PATCH", `/v1/orgs/${acme}/members/${eve.id}`, { role: "read" }),
  ],
  ["ends with its maker", ({ ada, acme, eve }) => ada.send("DELETE", `/v1/orgs/${acme}/members/${eve.id}`)],
  ["ends with its member", ({ ada, acme, bob }) => ada.send("DELETE", `/v1/orgs/${acme}/members/${bob}`)],
])("a token that is being made with another while it %s ends with it, with an event", async (_, finish) => {
  const given = await bound();
  const child = newId();
  const { status } = await overtake(
    (db) => makeChild(db, given.made.id, child),
    () => finish(given),
  );
  expect([200, 204]).toContain(status);
  expect(await idsOf(given.bob)).toEqual([]);
  const events = (await emitted(given.bob)).map(([, payload]) => payload);
  expect(events).toContainEqual({ token: child, user: given.bob });
});

test("a token that ends while another is made with it is 401, and nothing is made", async () => {
  const { bob, made, sender } = await bound();
  const { status, body } = await overtake(
    (db) => db.deleteFrom("token").where("id", "=", made.id).execute(),
    () => sender.send("POST", "/v1/user/tokens", { label: "y" }),
  );
  expect([status, body.error.reason]).toEqual([401, "invalid_token"]);
  expect(await idsOf(bob)).toEqual([]);
});
