import { generateKeyPairSync } from "node:crypto";
import type { JWK } from "jose";
import { connect, headers } from "nats";
import { createEventSigner, createEventVerifier, SIGNATURE_HEADER } from "../events/signature.js";
import { newId } from "../ids.js";

/** The signing keys of all services, the same for every test of a process. */
const jwks = ["orgs", "content", "sites", "integrations"].map(
  (kid): JWK => ({ ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }), kid }),
);

/** Signs events as the service does. */
export const testSigner = (service: string) => createEventSigner(jwks.find(({ kid }) => kid === service)!);

/** Believes the services that `testSigner` signs as. */
export const testVerifier = createEventVerifier({ keys: jwks });

interface Sent {
  subject: string;
  /** Signs the body; nobody by default. */
  signer?: { sign(body: Uint8Array): Promise<string> };
  body: object | string;
}

/** Publishes messages past every relay, as whoever reaches the broker could, and waits until the stream has them. */
export async function publishRaw(sent: Sent[], natsUrl = process.env.NATS_URL ?? ""): Promise<void> {
  const connection = await connect({ servers: natsUrl });
  for (const { subject, signer, body } of sent) {
    const data = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const carried = headers();
    if (signer) carried.set(SIGNATURE_HEADER, await signer.sign(data));
    connection.publish(subject, data, { headers: carried });
  }
  await connection.drain();
}

/** An envelope as an outbox would hold it. */
export const envelopeOf = (name: string, aggregate: string, payload: object) => ({
  id: newId(),
  name,
  version: 1,
  aggregate,
  payload,
  occurredAt: new Date().toISOString(),
});
