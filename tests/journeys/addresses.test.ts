import { startDns } from "@octavo/shared/testing/dns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeIn, startSmtp } from "../../services/orgs/src/mail/testing-smtp.js";
import { type Client, createClient } from "../harness/client.js";
import { register } from "../harness/people.js";
import { type Stack, startStack } from "../harness/stack.js";

const DOMAIN = "people.example";
const VERIFICATION = "/user/email/verification";

let dns: Awaited<ReturnType<typeof startDns>>;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let stack: Stack;
let admin: Client;

beforeAll(async () => {
  [dns, smtp] = await Promise.all([startDns(), startSmtp()]);
  stack = await startStack({
    OCTAVO_DNS_SERVERS: dns.server,
    SMTP_URL: smtp.url,
    MAIL_FROM: "Octavo <octavo@octavo.example>",
  });
  admin = createClient(stack);
});
afterAll(() => Promise.all([stack?.stop(), dns?.close(), smtp?.close()]));

/** An organization whose people may join by their addresses. */
async function organizationOf(domain: string): Promise<string> {
  const made = await admin<{ id: string }>("POST", "/orgs", { title: "People", emailDomains: [domain] });
  const { id } = made.body;
  const one = `/orgs/${id}/email-domains/${domain}`;
  const { record } = (await admin<{ record: { name: string; value: string } }>("GET", one)).body;
  dns.records.set(record.name, [record.value]);
  expect((await admin("POST", `${one}/verify`)).status).toBe(200);
  return id;
}

test("an invite comes by mail, over a crash, and leads into the organization of the address's domain too", async () => {
  const people = await organizationOf(DOMAIN);
  const email = `bea@${DOMAIN}`;
  const first = (await admin<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const invited = await admin("POST", `/orgs/${first}/invites`, { emails: [email], role: "read" });
  expect([invited.status, (invited.body as { tokens?: unknown }).tokens]).toEqual([200, undefined]);
  await stack.kill("services/orgs");
  const letter = await smtp.letterTo(email);
  expect(letter).toContain("From: Octavo <octavo@octavo.example>");
  await stack.ready();
  const code = /"code": "([\w-]+)"/.exec(letter)![1]!;
  const nobody = admin.as(undefined);
  const exchanged = await nobody<{ token: string }>("POST", "/sso/exchange", { code });
  expect(exchanged.status).toBe(200);
  expect((await nobody("POST", "/sso/exchange", { code })).status).toBe(400);
  const bea = admin.as(exchanged.body.token);
  expect(await bea("GET", VERIFICATION)).toMatchObject({ status: 200, body: { email, status: "verified" } });
  expect((await bea("GET", `/orgs/${first}`)).status).toBe(200);
  const { body } = await bea<{ organizations: { id: string }[] }>("GET", `/email-domains/${DOMAIN}/orgs`);
  expect(body.organizations.map(({ id }) => id)).toEqual([people]);
  expect((await bea("POST", `/orgs/${people}/join`)).status).toBe(204);
  expect((await bea("GET", `/orgs/${people}`)).status).toBe(200);
  expect(await stack.logs()).not.toContain(code);
});

test("with a token that an administrator made, a code that is mailed leads to one of one's own", async () => {
  const cyd = await register(stack, "Cyd");
  const tokens = `/orgs/${cyd.organization}/members/${cyd.id}/tokens`;
  const made = await admin.as(cyd.token)<{ token: string }>("POST", tokens, { label: "CI" });
  const bound = admin.as(made.body.token);
  expect((await bound("POST", "/orgs", { title: "Another" })).status).toBe(403);
  const sent = await bound<{ email: string }>("POST", VERIFICATION);
  expect(sent.status).toBe(200);
  const code = codeIn(await smtp.letterTo(sent.body.email));
  const confirmed = await bound<{ token: { token: string } }>("POST", `${VERIFICATION}/confirm`, { code });
  expect(confirmed).toMatchObject({ status: 200, body: { status: "verified" } });
  const own = admin.as(confirmed.body.token.token);
  expect((await own("POST", "/orgs", { title: "Another" })).status).toBe(201);
  expect(await stack.logs()).not.toContain(code);
});
