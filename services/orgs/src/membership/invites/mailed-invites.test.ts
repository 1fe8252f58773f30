import { newId } from "@octavo/shared/ids";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { startSmtp } from "../../mail/testing-smtp.js";
import { startOrgs } from "../../testing/orgs.js";

const smtp = await startSmtp();
const { db, rows, as, asCaller, address, clock, gateway, end } = await startOrgs({ smtpUrl: smtp.url });
afterAll(() => Promise.all([end(), smtp.close()]));

const newAddress = () => `${newId().toLowerCase()}@example.com`;
const codeIn = (letter: string) => /"code": "([\w-]{43})"/.exec(letter)?.[1];

async function acmeWith(title = "Acme") {
  const organization = await rows.organization({ title });
  const admin = await as({ [organization]: "admin" }, { name: "Ada" });
  const path = `/v1/orgs/${organization}/invites`;
  const invite = (emails: string[], more = {}) => admin.send("POST", path, { emails, role: "edit", ...more });
  return { organization, admin, path, invite };
}

async function exchange(code: unknown) {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ code }) };
  const response = await fetch(`${address}/v1/sso/exchange`, init);
  return { status: response.status, body: (await response.json()) as never as Record<string, never> };
}

const resolve = async (token: string) => (await gateway.call.tokens.resolve({ token }))?.caller;
const personOf = (email: string) =>
  db
    .selectFrom("person")
    .select(["id", "email_verified"])
    .where("email", "=", email)
    .executeTakeFirstOrThrow();

test("an invite is mailed, and its code makes the person a member with a confirmed address and a token", async () => {
  const acme = await acmeWith();
  const email = newAddress();
  const { status, body } = await acme.invite([email]);
  expect([status, body.invited, body.tokens]).toEqual([200, 1, undefined]);
  const letter = await smtp.letterTo(email);
  expect(letter).toContain("Subject: Ada invites you to Acme");
  expect(letter).toContain(`POST ${body.urls[email]}`);
  expect(letter).toContain("POST http://octavo.test/v1/sso/exchange");
  const code = codeIn(letter)!;
  expect(JSON.stringify(body)).not.toContain(code);
  expect((await personOf(email)).email_verified).toBe(false);

  const exchanged = await exchange(code);
  expect([exchanged.status, exchanged.body.organization]).toEqual([200, undefined]);
  const { id, email_verified } = await personOf(email);
  expect(email_verified).toBe(true);
  const caller = await resolve(exchanged.body.token!);
  expect(caller).toMatchObject({ id, organizations: { [acme.organization]: "edit" } });
  expect((await asCaller(caller!).send("POST", "/v1/orgs", { title: "Mine" })).status).toBe(201);
  expect((await acme.admin.send("GET", acme.path)).body.count).toBe(0);
  const again = await exchange(code);
  expect([again.status, again.body.error]).toMatchObject([400, { reason: "invalid_code" }]);
  const { items } = (await acme.admin.send("GET", `/v1/orgs/${acme.organization}/audit-events?actor=${id}`))
    .body;
  expect(items.map(({ action }: { action: string }) => action).toSorted()).toEqual([
    "invite.accept",
    "member.add",
  ]);
});

test("whoever has an account accepts with a token of theirs, and the code is worth nothing then", async () => {
  const acme = await acmeWith();
  const email = newAddress();
  const bob = await as({}, { id: await rows.person({ email }) });
  const { urls } = (await acme.invite([email])).body;
  const code = codeIn(await smtp.letterTo(email));
  expect((await bob.accept(new URL(urls[email]).pathname)).status).toBe(200);
  expect((await exchange(code)).status).toBe(400);
});

test("a code is worth nothing once the invite is revoked or too old", async () => {
  const acme = await acmeWith();
  const [revoked, late] = [newAddress(), newAddress()];
  const { urls } = (await acme.invite([revoked, late])).body;
  const codes = [codeIn(await smtp.letterTo(revoked)), codeIn(await smtp.letterTo(late))];
  expect((await acme.admin.send("DELETE", new URL(urls[revoked]).pathname)).status).toBe(204);
  clock.now = () => new Date(Date.now() + 15 * 24 * 3_600_000);
  for (const code of codes) expect((await exchange(code)).status).toBe(400);
  clock.now = () => new Date();
  expect((await exchange(codes[1])).status).toBe(200);
  expect((await exchange(codes[0])).status).toBe(400);
});

test("a code that many exchange at once makes one member and one token", async () => {
  const acme = await acmeWith();
  const email = newAddress();
  await acme.invite([email]);
  const code = codeIn(await smtp.letterTo(email));
  const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(code)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.every(({ status }) => status === 200 || (status >= 400 && status < 500))).toBe(true);
  const { id } = await personOf(email);
  const made = await db.selectFrom("token").select("id").where("person", "=", id).execute();
  expect(made).toHaveLength(1);
});

test("an invite for single sign-on brings no code", async () => {
  const organization = await rows.organization({ email_domains: ["example.com"] });
  const admin = await as({ [organization]: "admin" });
  const email = newAddress();
  const { body } = await admin.send("POST", `/v1/orgs/${organization}/invites`, {
    emails: [email],
    sso: true,
  });
  expect([body.invited, body.tokens]).toEqual([1, undefined]);
  const letter = await smtp.letterTo(email);
  expect([codeIn(letter), /identity provider/.test(letter)]).toEqual([undefined, true]);
});

test("a title stays on its line", async () => {
  const acme = await acmeWith("Prize\r\nBcc: eve@evil.example\r\n\r\nHello");
  const email = newAddress();
  await acme.invite([email]);
  const letter = await smtp.letterTo(email);
  expect(smtp.sentTo(email)[0]!.to).toEqual([email]);
  expect(letter).toContain("the organization Prize Bcc: eve@evil.example Hello");
  expect(letter).not.toMatch(/^Bcc/m);
});

test("an address is sent five letters an hour at most, by whomever; then nobody of the invitation is invited", async () => {
  const [email, other] = [newAddress(), newAddress()];
  for (let count = 0; count < 5; count++) expect((await (await acmeWith()).invite([email])).status).toBe(200);
  const acme = await acmeWith();
  const { status, body } = await acme.invite([other, email]);
  expect([status, body.error.reason, body.error.issues]).toMatchObject([
    429,
    "too_many_letters",
    [{ path: "body.emails.1" }],
  ]);
  expect((await acme.admin.send("GET", acme.path)).body.count).toBe(0);
  await smtp.letterTo(email, 5);
  expect(smtp.sentTo(other)).toEqual([]);
  clock.now = () => new Date(Date.now() + 3_700_000);
  expect((await acme.invite([email])).status).toBe(200);
  clock.now = () => new Date();
});

test("an organization mails a thousand invites a day at most", async () => {
  const acme = await acmeWith();
  expect((await acme.invite([newAddress()])).status).toBe(200);
  await sql`insert into audit_event
    (id, organization, service, action, actor_type, actor, actor_name, request, target_type, target, occurred_at)
    select organization || number, organization, service, action, actor_type, actor, actor_name, request,
      target_type, target, occurred_at
    from audit_event, generate_series(1, 998) as number
    where organization = ${acme.organization} and action = 'invite.create'`.execute(db);
  expect((await acme.invite([newAddress(), newAddress()])).body.error.reason).toBe("too_many_letters");
  expect((await acme.invite([newAddress()])).status).toBe(200);
  const { status, body } = await acme.invite([newAddress()]);
  expect([status, body.error.reason]).toEqual([429, "too_many_letters"]);
  expect((await (await acmeWith()).invite([newAddress()])).status).toBe(200);
  clock.now = () => new Date(Date.now() + 25 * 3_600_000);
  expect((await acme.invite([newAddress()])).status).toBe(200);
  clock.now = () => new Date();
});
