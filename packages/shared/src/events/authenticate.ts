import { Envelope } from "../contracts/events/define.js";
import { type EventVerifier, SIGNATURE_HEADER } from "./signature.js";
import { mayPublish, subjectOf } from "./subject.js";

/** An event whose publisher is proved. */
export type AuthenticEvent = Envelope & { publisher: string };

/** A message of NATS, as far as it matters here. */
interface Message {
  subject: string;
  data: Uint8Array;
  headers?: { get(name: string): string };
}

interface Trust {
  verifier: EventVerifier;
  prefix: string;
  /** A signature that is older is refused: what was handled so long ago may be forgotten. */
  oldestMs: number;
}

/**
 * The event in a message; throws, with the reason, unless a trusted service signed it, may publish events of that name,
 * and sent it to the subject of that name. So nothing is believed to the broker or to whoever reaches it.
 */
export async function authenticate({ verifier, prefix, oldestMs }: Trust, message: Message) {
  const signature = message.headers?.get(SIGNATURE_HEADER);
  if (!signature) throw new Error("the message is not signed");
  const { publisher, signedAt } = await verifier.verify(signature, message.data);
  if (Date.now() - signedAt * 1000 > oldestMs) throw new Error("the signature is too old");
  const text = Buffer.from(message.data).toString("utf8");
  const event = Envelope.parse(JSON.parse(text));
  // PostgreSQL has no room for this character, so it cannot come from an outbox.
  if (text.includes("\\u0000")) throw new Error("the message holds a NUL");
  if (!mayPublish(publisher, event.name)) throw new Error(`${publisher} does not publish ${event.name}`);
  if (message.subject !== subjectOf(prefix, publisher, event.name)) {
    throw new Error(`${event.name} of ${publisher} does not belong to the subject`);
  }
  return { ...event, publisher } satisfies AuthenticEvent;
}
