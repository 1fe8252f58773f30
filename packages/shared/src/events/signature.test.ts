import { generateKeyPairSync, sign } from "node:crypto";
import { CompactSign, type JWK } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { createEventSigner, createEventVerifier, SIGNATURE_HEADER } from "./signature.js";

const { privateKey } = generateKeyPairSync("ed25519");
const jwk: JWK = { ...privateKey.export({ format: "jwk" }), kid: "content" };
const verifier = createEventVerifier({ keys: [jwk] });
const body = Buffer.from('{"id":"e1"}');

afterEach(() => vi.useRealTimers());

/** A detached signature of the body by the key, with another header than a signer writes. */
async function signedWith(header: Record<string, unknown>, key = privateKey) {
  const signed = await new CompactSign(body).setProtectedHeader({ alg: "EdDSA", ...header }).sign(key);
  return signed.replace(/\..*\./, "..");
}

/** The same, whatever a library makes of the header. */
function signedBy(header: Record<string, unknown>) {
  const head = Buffer.from(JSON.stringify(header)).toString("base64url");
  const signature = sign(null, Buffer.from(`${head}.${body.toString("base64url")}`), privateKey);
  return `${head}..${signature.toString("base64url")}`;
}

test("a signature is a detached JWS that names its service and its second, and other releases find it", async () => {
  vi.useFakeTimers({ now: 1_700_000_000_999, toFake: ["Date"] });
  const signer = createEventSigner(jwk);
  const signature = await signer.sign(body);
  const [head, payload, tail, ...rest] = signature.split(".");
  expect(JSON.parse(Buffer.from(head!, "base64url").toString())).toEqual({
    alg: "EdDSA",
    kid: "content",
    typ: "octavo-event",
    iat: 1_700_000_000,
  });
  expect([payload, rest]).toEqual(["", []]);
  expect(Buffer.from(tail!, "base64url").length).toBe(64);
  expect(signer.publisher).toBe("content");
  expect(await verifier.verify(signature, body)).toEqual({ publisher: "content", signedAt: 1_700_000_000 });
  expect(SIGNATURE_HEADER).toBe("Octavo-Signature");
});

test("a key without the name of a service signs nothing", () => {
  const { kid, ...nameless } = jwk;
  expect(() => createEventSigner(nameless)).toThrow("needs a kid");
  expect(() => createEventSigner({ ...nameless, kid: "" })).toThrow("needs a kid");
});

test.each([
  ["no parts", () => "signature"],
  ["a body of its own", (good: string) => good.replace("..", `.${body.toString("base64url")}.`)],
  ["no signature", (good: string) => good.replace(/\.[^.]+$/, ".")],
  ["one part too many", (good: string) => `${good}.more`],
])("a signature with %s is refused", async (_, change) => {
  const good = await createEventSigner(jwk).sign(body);
  await expect(verifier.verify(change(good), body)).rejects.toThrow("not a detached signature");
});

test("a signature of another body, or by a key that is not trusted under its name, is refused", async () => {
  const good = await createEventSigner(jwk).sign(body);
  await expect(verifier.verify(good, Buffer.from("{}"))).rejects.toThrow("verification failed");
  const stranger = generateKeyPairSync("ed25519").privateKey;
  const header = { kid: "content", typ: "octavo-event", iat: 1 };
  await expect(verifier.verify(await signedWith(header, stranger), body)).rejects.toThrow(
    "verification failed",
  );
  const unknown = await signedWith({ ...header, kid: "sites" });
  await expect(verifier.verify(unknown, body)).rejects.toThrow("the key of the signature is not trusted");
});

test("what a service signed for another purpose, or without a time, is no signature of an event", async () => {
  const refused = "not the signature of an event";
  const whole = { kid: "content", typ: "octavo-event", iat: 1 };
  expect(await verifier.verify(await signedWith(whole), body)).toEqual({ publisher: "content", signedAt: 1 });
  for (const other of [{ typ: "octavo-identity" }, { typ: undefined }, { iat: "1" }, { iat: undefined }]) {
    const signature = await signedWith({ ...whole, ...other });
    await expect(verifier.verify(signature, body)).rejects.toThrow(refused);
  }
  for (const other of [{ alg: "ES256" }, { alg: undefined }, { crit: ["b64"], b64: false }])
    await expect(verifier.verify(signedBy({ alg: "EdDSA", ...whole, ...other }), body)).rejects.toThrow(
      refused,
    );
});
