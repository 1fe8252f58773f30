import { createHmac, randomBytes } from "node:crypto";
import type { Belonging } from "@octavo/shared/contracts/belonging";

const PREFIX = "whsec_";

/** A secret as Standard Webhooks write it. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString("base64")}`;

/** For what the secret of a webhook is sealed. */
export const sealedFor = ({ id, organization }: { id: string; organization: string }): Belonging => ({
  kind: "webhook.secret",
  id,
  organization,
});

/** The headers of Standard Webhooks: the time, and a signature of id, time and body with each of the secrets. */
export function signedHeaders(secrets: string[], message: string, body: string, now: Date) {
  const time = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${message}.${time}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": message,
    "webhook-timestamp": String(time),
    "webhook-signature": signatures.join(" "),
  };
}
