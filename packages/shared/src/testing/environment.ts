import { generateKeyPairSync, randomBytes } from "node:crypto";

/** The variables that every service needs, with sound values and fresh keys. */
export function soundEnvironment() {
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const { d: _, ...open } = jwk;
  return {
    PORT: "4001",
    DATABASE_URL: "postgres://octavo@localhost/octavo",
    NATS_URL: "nats://localhost:4222",
    OCTAVO_BASE_URL: "http://localhost:4000",
    OCTAVO_TRUSTED_KEYS: JSON.stringify({ keys: [{ ...open, kid: "gateway" }] }),
    OCTAVO_SIGNING_KEY: JSON.stringify({ ...jwk, kid: "content" }),
    OCTAVO_SECRET_KEY: randomBytes(32).toString("base64"),
  };
}
