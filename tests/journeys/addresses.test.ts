import { afterAll, beforeAll, expect, test } from "vitest";
import { startDns } from "../../services/orgs/src/email-domains/testing-dns.js";
import { codeIn, startSmtp } from "../../services/orgs/src/mail/testing-smtp.js";
import { type Client, createClient } from "../harness/client.js";
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
}, 120_000);
afterAll(() => Promise.all([stack?.stop(), dns?.close(), smtp?.close()]), 60_000);

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

test("somebody proves their address by mail, over a crash, and joins the organization of its domain", async () => {
  const people = await organizationOf(DOMAIN);
  const email = `bea@${DOMAIN}`;
  const first = (await admin<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const invited = await admin<{ tokens: Record<string, string> }>("POST", `/orgs/${first}/invites`, {
    emails: [email],
  });
  const bea = admin.as(invited.body.tokens[email]);
  expect((await bea("POST", `/orgs/${people}/join`)).status).toBe(403);
  const sent = await bea("POST", VERIFICATION);
  expect(sent.status).toBe(200);
  await stack.kill("services/orgs");
  const letter = await smtp.letterTo(email);
  expect(letter).toContain("From: Octavo <octavo@octavo.example>");
  await stack.ready();
  const confirmed = await bea<{ token: { token: string } }>("POST", `${VERIFICATION}/confirm`, {
    code: codeIn(letter),
  });
  expect(confirmed).toMatchObject({ status: 200, body: { email, status: "verified" } });
  const own = admin.as(confirmed.body.token.token);
  const { body } = await own<{ organizations: { id: string }[] }>("GET", `/email-domains/${DOMAIN}/orgs`);
  expect(body.organizations.map(({ id }) => id)).toEqual([people]);
  expect((await own("POST", `/orgs/${people}/join`)).status).toBe(204);
  expect((await own("GET", `/orgs/${people}`)).status).toBe(200);
  expect(await stack.logs()).not.toContain(codeIn(letter));
}, 60_000);
