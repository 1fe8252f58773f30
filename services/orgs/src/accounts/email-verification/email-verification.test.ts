import { newId } from "@octavo/shared/ids";
import { jobCounts } from "@octavo/shared/jobs/state";
import { waitFor } from "@octavo/shared/testing/schema";
import { afterAll, expect, test } from "vitest";
import { codeIn, startSmtp } from "../../mail/testing-smtp.js";
import { startOrgs } from "../../testing/orgs.js";

const smtp = await startSmtp();
const orgs = await startOrgs({ smtpUrl: smtp.url });
const { db, rows, as, asCaller, clock, gateway, launcher, end } = orgs;
afterAll(() => Promise.all([end(), smtp.close()]));

const PATH = "/v1/user/email/verification";
const CONFIRM = `${PATH}/confirm`;
type Person = Pick<Awaited<ReturnType<typeof as>>, "send">;

/** Somebody whose address nobody has confirmed. */
async function newcomer(roles: Parameters<typeof as>[0] = {}) {
  const email = `${newId().toLowerCase()}@example.com`;
  const id = await rows.person({ email, email_verified: false });
  for (const [organization, role] of Object.entries(roles))
    await rows.member({ organization, person: id, role });
  return { ...(await as({}, { id, organizations: roles })), id, email };
}

let sent = new Map<string, number>();
/** Requests a code and reads it from the e-mail. */
async function codeFor(person: Person & { email: string }) {
  const count = (sent.get(person.email) ?? 0) + 1;
  sent = new Map(sent).set(person.email, count);
  expect((await person.send("POST", PATH)).status).toBe(200);
  return codeIn(await smtp.letterTo(person.email, count));
}

const confirm = ({ send }: Person, code: unknown) => send("POST", CONFIRM, { code });
const stateOf = async ({ send }: Person) => (await send("GET", PATH)).body;
const resolve = async (token: string) => (await gateway.call.tokens.resolve({ token }))!.caller;

/** The person with a token that an administrator made, which reaches the organization alone. */
async function bound(person: { id: string }, organization: string, scopes?: string[]) {
  const admin = await as({ [organization]: "admin" });
  const path = `/v1/orgs/${organization}/members/${person.id}/tokens`;
  const { token } = (await admin.send("POST", path, { label: "CI", scopes })).body;
  return asCaller(await resolve(token));
}

test("a code that is sent confirms the address, once, however it is typed", async () => {
  const acme = await rows.organization();
  const ada = await newcomer({ [acme]: "read" });
  const { email } = ada;
  expect(await stateOf(ada)).toEqual({ email, status: "pending" });
  clock.now = () => new Date("2030-01-01T00:00:00Z");
  const { status, body } = await ada.send("POST", PATH);
  expect([status, body]).toEqual([200, { email, expiresAt: "2030-01-01T00:15:00.000Z" }]);
  const code = codeIn(await smtp.letterTo(email));
  const typed = ` ${code.toLowerCase().replaceAll("-", " ")} `;
  const confirmed = await confirm(ada, typed);
  expect([confirmed.status, confirmed.body]).toEqual([200, { email, status: "verified" }]);
  expect(await stateOf(ada)).toEqual({ email, status: "verified" });
  const again = await confirm(ada, code);
  expect([again.status, again.body.error.reason]).toEqual([400, "invalid_code"]);
  clock.now = () => new Date();
  const recorded = db
    .selectFrom("audit_event")
    .select(["organization", "action"])
    .where("target", "=", ada.id);
  expect(await recorded.orderBy("action").execute()).toEqual([
    { organization: null, action: "user.email.sendCode" },
    { organization: null, action: "user.email.verify" },
  ]);
});

test("whoever confirmed joins by a verified domain", async () => {
  const acme = await rows.organization({ email_domains: ["example.com"] });
  await rows.verifiedDomains(acme, "example.com");
  const ada = await newcomer();
  expect((await ada.send("POST", `/v1/orgs/${acme}/join`)).status).toBe(404);
  expect((await ada.send("GET", "/v1/email-domains/example.com/orgs")).body.organizations).toEqual([]);
  await confirm(ada, await codeFor(ada));
  const { organizations } = (await ada.send("GET", "/v1/email-domains/example.com/orgs")).body;
  expect(organizations).toMatchObject([{ id: acme }]);
  expect((await ada.send("POST", `/v1/orgs/${acme}/join`)).status).toBe(204);
});

test("with a token that an administrator made, the person gets one of their own, of the same scopes", async () => {
  const [acme, beta] = [await rows.organization(), await rows.organization()];
  const ada = await newcomer({ [acme]: "read", [beta]: "edit" });
  for (const scopes of [undefined, ["orgs:write", "content:read"]]) {
    const limited = { ...(await bound(ada, acme, scopes)), email: ada.email };
    expect((await limited.send("POST", "/v1/orgs", { title: "Mine" })).body.error.reason).toBe("bound_token");
    const { token } = (await confirm(limited, await codeFor({ ...limited, email: ada.email }))).body;
    expect(token).toMatchObject({ object: "token", label: "Verified e-mail" });
    expect([token.organization, token.scopes]).toEqual([undefined, scopes]);
    const own = await resolve(token.token);
    expect(own).toMatchObject({ id: ada.id, organizations: { [acme]: "read", [beta]: "edit" } });
    expect((await asCaller(own).send("POST", "/v1/orgs", { title: "Mine" })).status).toBe(201);
  }
  const personal = await ada.send("POST", PATH);
  expect([personal.status, personal.body.error.reason]).toEqual([409, "already_verified"]);
});

test("the token that a person gets for a token with an expiry expires with it", async () => {
  const acme = await rows.organization();
  const ada = await newcomer({ [acme]: "read" });
  const limited = { ...(await bound(ada, acme)), email: ada.email };
  const code = await codeFor(limited);
  const expires_at = "2999-01-01T00:00:00.000Z";
  await db.updateTable("token").set({ expires_at }).where("person", "=", ada.id).execute();
  const { token } = (await confirm(limited, code)).body;
  expect([token.organization, token.expiresAt]).toEqual([undefined, expires_at]);
});

test("wrong codes are 400, and after five the right one is too", async () => {
  const ada = await newcomer();
  const none = await confirm(ada, "ABCD-EFGH-JKMN");
  expect([none.status, none.body.error.reason]).toEqual([400, "invalid_code"]);
  const code = await codeFor(ada);
  for (let tries = 0; tries < 5; tries++) expect((await confirm(ada, "ABCD-EFGH-JKMN")).status).toBe(400);
  const { status, body } = await confirm(ada, code);
  expect([status, body.error.issues[0].path]).toEqual([400, "body.code"]);
  expect(await stateOf(ada)).toMatchObject({ status: "pending" });
  expect((await confirm(ada, await codeFor(ada))).status).toBe(200);
});

test("a code is worth nothing after a quarter of an hour, after the next one, and to anybody else", async () => {
  const [ada, eve] = [await newcomer(), await newcomer()];
  const first = await codeFor(ada);
  const second = await codeFor(ada);
  expect((await confirm(ada, first)).status).toBe(400);
  await codeFor(eve);
  expect((await confirm(eve, second)).status).toBe(400);
  clock.now = () => new Date(Date.now() + 16 * 60_000);
  expect((await confirm(ada, second)).status).toBe(400);
  clock.now = () => new Date();
  expect((await confirm(ada, second)).status).toBe(200);
  expect(await stateOf(eve)).toMatchObject({ status: "pending" });
});

test("a code that many confirm at once is used once", async () => {
  const acme = await rows.organization();
  const ada = await newcomer({ [acme]: "read" });
  const { send } = await bound(ada, acme);
  const code = await codeFor({ send, email: ada.email });
  const responses = await Promise.all(Array.from({ length: 5 }, () => confirm({ send }, code)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
});

test("five codes an hour are sent to a person, at most", async () => {
  const ada = await newcomer();
  const now = new Date("2030-01-01T00:00:00Z");
  clock.now = () => now;
  const responses = await Promise.all(Array.from({ length: 7 }, () => ada.send("POST", PATH)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429]);
  await smtp.letterTo(ada.email, 5);
  clock.now = () => new Date(now.getTime() + 1_200_000);
  const { status, headers, body } = await ada.send("POST", PATH);
  expect([status, headers.get("retry-after"), body.error.reason]).toEqual([429, "2400", "too_many_codes"]);
  clock.now = () => new Date(now.getTime() + 3_600_000);
  expect((await ada.send("POST", PATH)).status).toBe(200);
  clock.now = () => new Date();
  await smtp.letterTo(ada.email, 6);
  expect(smtp.sentTo(ada.email)).toHaveLength(6);
});

test("the code is nowhere in the database, not while the letter waits", async () => {
  const ada = await newcomer();
  smtp.refusal.code = 451;
  expect((await ada.send("POST", PATH)).status).toBe(200);
  const waiting = await waitFor(() =>
    db
      .selectFrom("_private_jobs" as never)
      .selectAll()
      .execute(),
  );
  delete smtp.refusal.code;
  const code = codeIn(await smtp.letterTo(ada.email));
  const known = await db.selectFrom("email_verification").selectAll().where("person", "=", ada.id).execute();
  expect(JSON.stringify([waiting, known])).not.toContain(code);
  expect(JSON.stringify(waiting)).not.toContain(ada.email);
  expect((await confirm(ada, code)).status).toBe(200);
});

test("a letter that no mailbox takes is given up, without an end to the others", async () => {
  const ada = await newcomer();
  await waitFor(async () => (await jobCounts({ db })).waiting === 0);
  smtp.refusal.code = 550;
  expect((await ada.send("POST", PATH)).status).toBe(200);
  await waitFor(async () => {
    const { waiting, running, failed } = await jobCounts({ db });
    return waiting + running + failed === 0;
  });
  delete smtp.refusal.code;
  expect(smtp.sentTo(ada.email)).toEqual([]);
  expect((await confirm(ada, await codeFor(ada))).status).toBe(200);
});

test("accounts without an address are 409, what is no user 403, a body without a code 400", async () => {
  const acme = await rows.organization();
  const admin = await as({ [acme]: "admin" });
  const made = await admin.send("POST", `/v1/orgs/${acme}/service-accounts`, { title: "CI", role: "read" });
  const robot = await as({}, { id: made.body.id });
  for (const [method, path] of [
    ["GET", PATH],
    ["POST", PATH],
    ["POST", CONFIRM],
  ] as const) {
    const body = path === CONFIRM ? { code: "x" } : undefined;
    const { status, body: refusal } = await robot.send(method, path, body);
    expect([status, refusal.error.reason]).toEqual([409, "no_email"]);
    expect((await launcher.send(method, path, body)).status).toBe(403);
  }
  const ada = await newcomer();
  for (const code of [undefined, 1, null, "", "x".repeat(101), ["x"]])
    expect((await confirm(ada, code)).status).toBe(400);
});

test("without mail both are 501, and name the settings that are missing", async () => {
  const silent = await startOrgs();
  const ada = await silent.as();
  for (const response of [await ada.send("POST", PATH), await confirm(ada, "x")]) {
    expect([response.status, response.body.error.reason]).toEqual([501, "mail_not_configured"]);
    expect(response.body.error.message).toContain("SMTP_URL and MAIL_FROM");
  }
  await silent.end();
});
