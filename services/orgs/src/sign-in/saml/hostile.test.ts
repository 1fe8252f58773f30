import { deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";
import { type Parts, requestOf, sign, signed } from "./testing-forgery.js";
import { HOSTILE } from "./testing-hostile.js";
import { REASONS } from "./testing-hostile-reasons.js";
import { signInTest } from "./testing-sign-in.js";

const orgs = await startOrgs();
const { db } = orgs;
const acme = await signInTest(orgs);
afterAll(orgs.end);

/** Opens a request and returns what an honest response to it is made of. */
async function open() {
  const { id, relayState } = requestOf(await acme.start());
  const parts: Parts = {
    request: id,
    acs: acme.provider.service.acsURL,
    audience: acme.provider.service.entityID,
    key: acme.idp.identity.key,
    certificate: acme.idp.identity.certificate,
  };
  return { parts, relayState };
}

const inBase64 = (xml: string) => Buffer.from(xml).toString("base64");
const countOf = async () =>
  Number(
    (
      await db
        .selectFrom("person")
        .select(({ fn }) => fn.countAll().as("n"))
        .executeTakeFirstOrThrow()
    ).n,
  );

/** Posts a document and expects it to be refused, with a message that reveals nothing of it, with nothing made. */
async function expectRefusal(form: Record<string, string> | URLSearchParams) {
  const before = await countOf();
  const { status, location, body } = await acme.post(form);
  expect([status, location], JSON.stringify(body)).toEqual([expect.any(Number), null]);
  expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
  expect(status, JSON.stringify(body)).toBeLessThan(500);
  expect(body.error.message).toMatch(/^(SAMLResponse|Sign-in|body|Content-Type): /);
  expect(JSON.stringify(body)).not.toMatch(/mallory|admin@|example\.com/);
  expect(await countOf()).toBe(before);
  expect(await db.selectFrom("sso_code").select("hash").execute()).toEqual([]);
  return body.error;
}

test("a document that is as it should be is accepted: what the others get wrong is what they are refused for", async () => {
  for (const document of [
    (parts: Parts) => signed(parts),
    (parts: Parts) => signed(parts, { assertionId: "_again" }, { certificate: parts.certificate }),
    (parts: Parts) => sign(parts, signed(parts, { assertionId: "_both" }), { what: "Response" }),
    (parts: Parts) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n${signed(parts, { assertionId: "_more", notOnOrAfter: -20_000 })}`,
    (parts: Parts) =>
      signed(
        parts,
        { assertionId: "_512" },
        {
          method: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
          digest: "http://www.w3.org/2001/04/xmlenc#sha512",
        },
      ),
  ]) {
    const { parts, relayState } = await open();
    const response = await acme.post({ SAMLResponse: inBase64(document(parts)), RelayState: relayState });
    expect([response.status, response.body]).toEqual([303, undefined]);
  }
  await db.deleteFrom("sso_code").execute();
  await db.deleteFrom("saml_assertion").execute();
});

const reasonOf = (name: string) => Object.keys(REASONS).find((reason) => REASONS[reason]!.includes(name));

test.each(Object.keys(HOSTILE))("%s is refused", async (name) => {
  const { parts, relayState } = await open();
  const document = HOSTILE[name]!(parts);
  const { message } = await expectRefusal({ SAMLResponse: inBase64(document), RelayState: relayState });
  expect(message).toBe(reasonOf(name));
});

test.each([
  ["no base64", (xml: string) => `${inBase64(xml)}*`],
  ["base64 of another alphabet", (xml: string) => Buffer.from(xml).toString("base64url").replace(/$/, "-_")],
  ["XML that was not encoded", (xml: string) => xml],
  ["a deflated document", (xml: string) => deflateRawSync(xml).toString("base64")],
  ["a bomb of deflated zeros", () => deflateRawSync(Buffer.alloc(50_000_000)).toString("base64")],
  ["a gzipped document", (xml: string) => gzipSync(xml).toString("base64")],
  ["UTF-16", (xml: string) => Buffer.from(`\uFEFF${xml}`, "utf16le").toString("base64")],
  ["bytes that are no UTF-8", () => Buffer.from([0xff, 0xfe, 0x80, 0x81]).toString("base64")],
  ["nothing", () => ""],
])("%s is refused", async (_, encode) => {
  const { parts, relayState } = await open();
  await expectRefusal({ SAMLResponse: encode(signed(parts)), RelayState: relayState });
});

test("a form without a response, with two, or with another RelayState is refused", async () => {
  const { parts, relayState } = await open();
  const SAMLResponse = inBase64(signed(parts));
  await expectRefusal({ RelayState: relayState });
  const twice = new URLSearchParams({ SAMLResponse, RelayState: relayState });
  twice.append("SAMLResponse", SAMLResponse);
  await expectRefusal(twice);
  await expectRefusal({ SAMLResponse });
  await expectRefusal({ SAMLResponse, RelayState: "https://evil.example/" });
  await expectRefusal({ SAMLResponse: "x".repeat(600_000), RelayState: relayState });
});

test("a response that was accepted once is refused ever after, also for another request", async () => {
  const { parts, relayState } = await open();
  const form = { SAMLResponse: inBase64(signed(parts, { assertionId: "_once" })), RelayState: relayState };
  const both = await Promise.all([acme.post(form), acme.post(form)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 403]);
  await db.deleteFrom("sso_code").execute();
  await expectRefusal(form);
  const other = await open();
  const again = signed(other.parts, { assertionId: "_once" });
  const error = await expectRefusal({ SAMLResponse: inBase64(again), RelayState: other.relayState });
  expect(error.message).toBe("SAMLResponse: was shown before");
});

test("a response to a request that is too old is refused", async () => {
  const { parts, relayState } = await open();
  const expires_at = new Date(Date.now() - 1000).toISOString();
  await db.updateTable("saml_request").set({ expires_at }).where("id", "=", parts.request).execute();
  await expectRefusal({ SAMLResponse: inBase64(signed(parts)), RelayState: relayState });
});

test("a response to another provider's request, and one that another provider signed, are refused", async () => {
  const other = await signInTest(orgs);
  const { id, relayState } = requestOf(await other.start());
  const { parts } = await open();
  await expectRefusal({ SAMLResponse: inBase64(signed({ ...parts, request: id })), RelayState: relayState });
  const mine = await open();
  const theirs = signed({ ...mine.parts, key: other.idp.identity.key });
  await expectRefusal({ SAMLResponse: inBase64(theirs), RelayState: mine.relayState });
});

test("a response to an unknown provider is 404, to a pending one 409", async () => {
  const { parts, relayState } = await open();
  const form = new URLSearchParams({ SAMLResponse: inBase64(signed(parts)), RelayState: relayState });
  const post = (id: string) =>
    fetch(`${orgs.address}/v1/sso/saml/${id}/acs`, { method: "POST", body: form, redirect: "manual" });
  expect((await post("unknown")).status).toBe(404);
  const path = `/v1/orgs/${acme.organization}/saml`;
  const { id } = (await acme.admin.send("POST", path, { label: "Half" })).body;
  expect((await post(id)).status).toBe(409);
});
