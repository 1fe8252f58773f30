import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { envelopeOf, testSigner, testVerifier } from "../testing/signing.js";
import { authenticate } from "./authenticate.js";

const NAME = "content.thing.changed";
const OLDEST_MS = 5_000;
const trust = { verifier: testVerifier, prefix: "p", oldestMs: OLDEST_MS };

beforeEach(() => vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

interface Sent {
  event?: object | string;
  publisher?: string;
  subject?: string;
}

/** A message of NATS as a relay would publish it. */
async function messageOf({ event = eventWith(), publisher = "content", subject = `p.${NAME}` }: Sent = {}) {
  const data = Buffer.from(typeof event === "string" ? event : JSON.stringify(event));
  const carried = new Map([["Octavo-Signature", await testSigner(publisher).sign(data)]]);
  return { subject, data, headers: { get: (name: string) => carried.get(name) ?? "" } };
}

const eventWith = (payload: object = { text: "Ünü" }) => envelopeOf(NAME, "a", payload);
const refusal = async (sent: Sent) =>
  authenticate(trust, await messageOf(sent)).then(
    () => "none",
    (error: Error) => error.message,
  );

test("an event that its service signed and sent to its subject is accepted, with its publisher", async () => {
  const event = eventWith();
  expect(await authenticate(trust, await messageOf({ event }))).toEqual({ ...event, publisher: "content" });
});

test("the publisher is the service that signed, whatever the body contains", async () => {
  const event = { ...eventWith(), publisher: "orgs" };
  expect(await authenticate(trust, await messageOf({ event }))).toMatchObject({ publisher: "content" });
});

test("a common event is accepted from any service on that service's subject alone", async () => {
  const event = envelopeOf("audit.deed.done", "a", {});
  const sent = { event, publisher: "sites" };
  const message = await messageOf({ ...sent, subject: "p.sites.audit.deed.done" });
  expect(await authenticate(trust, message)).toEqual({ ...event, publisher: "sites" });
  const elsewhere = "audit.deed.done of sites does not belong to the subject";
  expect(await refusal({ ...sent, subject: "p.orgs.audit.deed.done" })).toBe(elsewhere);
});

test("a message without a signature is refused", async () => {
  const { headers, ...bare } = await messageOf();
  await expect(authenticate(trust, bare)).rejects.toThrow("the message is not signed");
  const empty = { ...bare, headers: { get: () => "" } };
  await expect(authenticate(trust, empty)).rejects.toThrow("the message is not signed");
});

test("a signature is accepted up to its maximum age, and not a moment longer", async () => {
  const message = await messageOf();
  vi.setSystemTime(Date.now() + OLDEST_MS);
  expect(await authenticate(trust, message)).toMatchObject({ name: NAME });
  vi.setSystemTime(Date.now() + 1);
  await expect(authenticate(trust, message)).rejects.toThrow("the signature is too old");
});

test("an event of another service, or on another subject, is refused though it is signed", async () => {
  expect(await refusal({ publisher: "sites" })).toBe(`sites does not publish ${NAME}`);
  const elsewhere = `${NAME} of content does not belong to the subject`;
  expect(await refusal({ subject: "p.content.thing.other" })).toBe(elsewhere);
  expect(await refusal({ subject: `q.${NAME}` })).toBe(elsewhere);
});

test("what is no event is refused though it is signed", async () => {
  expect(await refusal({ event: "no JSON" })).toContain("JSON");
  expect(await refusal({ event: { ...eventWith(), aggregate: 1 } })).toContain("aggregate");
  expect(await refusal({ event: eventWith({ text: "a\0b" }) })).toBe("the message holds a NUL");
});
