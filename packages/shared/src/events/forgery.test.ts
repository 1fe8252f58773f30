import { generateKeyPairSync } from "node:crypto";
import { CompactSign } from "jose";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import type { SharedTables } from "../database/shared-tables.js";
import { testEvents } from "../testing/events.js";
import { waitFor } from "../testing/schema.js";
import { envelopeOf, publishRaw, testSigner } from "../testing/signing.js";
import type { HandlerBase } from "./handling.js";
import { createListener } from "./listen.js";
import { createEventSigner } from "./signature.js";

const Changed = defineEvent("content.thing.changed", z.object({ n: z.number() }));
const on = createListener<HandlerBase<SharedTables>>();

let home: Awaited<ReturnType<typeof testEvents>>;
let handled: number[];
beforeEach(async () => {
  home = await testEvents();
  handled = [];
});
afterEach(() => home.end());

const listen = on(Changed, async ({ payload }) => void handled.push(payload.n));
const subject = () => `${home.prefix}.${Changed.name}`;
const eventWith = (n: number) => envelopeOf(Changed.name, "a", { n });
/** A relay that has made the stream, and a consumer that reads it. */
async function start(subscriptions = [listen], options: Parameters<typeof home.consumer>[1] = {}) {
  home.relay();
  home.consumer(subscriptions, options);
  await home.emit(Changed, "a", { n: 0 });
  await untilHandled(0);
}
const untilHandled = (n: number) => waitFor(() => handled.includes(n));

test("nothing is handled that another than its own service signed, or that was changed since", async () => {
  const warnings: { refused?: number }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(JSON.parse(line)) });
  await start([listen], { log });
  const content = testSigner("content");
  const stranger = createEventSigner({
    ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }),
    kid: "content",
  });
  const original = JSON.stringify(eventWith(3));
  const altered = { sign: () => content.sign(Buffer.from(original)) };
  const forged = [
    { body: eventWith(1) },
    { signer: testSigner("sites"), body: eventWith(2) },
    { signer: altered, body: original.replace('"n":3', '"n":4') },
    { signer: stranger, body: eventWith(5) },
    { signer: { sign: async () => "no signature" }, body: eventWith(6) },
    { signer: content, body: "no envelope" },
  ];
  await publishRaw(forged.map((each) => ({ ...each, subject: subject() })));
  await home.emit(Changed, "a", { n: 9 });
  await untilHandled(9);
  expect(handled).toEqual([0, 9]);
  expect(warnings.reduce((sum, { refused = 0 }) => sum + refused, 0)).toBe(forged.length);
});

test("a signed event on a subject that is not its own has no effect", async () => {
  const Other = defineEvent("content.thing.other", z.object({ n: z.number() }));
  // With one name of sites and what it missed, all of sites is read.
  const OfSites = defineEvent("sites.thing.changed", z.object({ n: z.number() }));
  const push = async ({ payload }: { payload: { n: number } }) => void handled.push(payload.n);
  await start([listen, on(Other, push), on(OfSites, push)]);
  const signer = testSigner("content");
  const ofSites = envelopeOf(OfSites.name, "a", { n: 5 });
  await publishRaw([
    { subject: `${home.prefix}.content.thing.other`, signer, body: eventWith(1) },
    { subject: `${home.prefix}.content.${Changed.name}`, signer, body: eventWith(2) },
    { subject: `${home.prefix}.sites.${Changed.name}`, signer: testSigner("sites"), body: eventWith(4) },
    { subject: `${home.prefix}.sites.thing.changed`, signer: testSigner("sites"), body: ofSites },
    { subject: subject(), signer, body: eventWith(3) },
  ]);
  await untilHandled(3);
  await untilHandled(5);
  expect(handled.sort()).toEqual([0, 3, 5]);
});

test("an event that is sent again is not handled again, also after its record was removed for its age", async () => {
  const day = 86_400_000;
  await start([listen], { retentionMs: 35 * day });
  const signer = testSigner("content");
  const body = eventWith(1);
  const old = { sign: (data: Uint8Array) => signedAt(data, Date.now() - 36 * day) };
  await publishRaw([
    { subject: subject(), signer, body },
    { subject: subject(), signer, body },
    { subject: subject(), signer: old, body: eventWith(2) },
    { subject: subject(), signer, body: eventWith(3) },
  ]);
  await untilHandled(3);
  expect(handled).toEqual([0, 1, 3]);
});

/** A sound signature of content, made at another time. */
async function signedAt(data: Uint8Array, ms: number): Promise<string> {
  const now = Date.now;
  Date.now = () => ms;
  try {
    return await testSigner("content").sign(data);
  } finally {
    Date.now = now;
  }
}

test("an identity of a service is no signature of an event", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "content" };
  const { createEventVerifier } = await import("./signature.js");
  const verifier = createEventVerifier({ keys: [jwk] });
  const body = Buffer.from("{}");
  const signed = await new CompactSign(body)
    .setProtectedHeader({ alg: "EdDSA", kid: "content" })
    .sign(privateKey);
  const [head, , tail] = signed.split(".");
  await expect(verifier.verify(`${head}..${tail}`, body)).rejects.toThrow("not the signature of an event");
  const good = await createEventSigner(jwk).sign(body);
  expect(await verifier.verify(good, body)).toMatchObject({ publisher: "content" });
  await expect(verifier.verify(good.replace("..", ".e30."), body)).rejects.toThrow("detached");
});
