import { generateKeyPairSync } from "node:crypto";
import { type Caller, SERVICES, type ServiceName } from "../contracts/callers.js";
import { createSigner, createVerifier } from "../identity.js";
import { createLog, type Logger } from "../log.js";
import { createVault, type Vault } from "../secrets.js";
import { createUrls, type Urls } from "../urls.js";

/** What a service under test has around it before it has a database: keys, addresses, a log. */
export interface Surroundings {
  service: ServiceName;
  log: Logger;
  urls: Urls;
  vault: Vault;
  /** The service as it appears at others, and the identity that it calls them with. */
  self: Caller;
  ownIdentity: () => Promise<string>;
  /** Signs a caller: people as the gateway does, services as they do themselves. */
  sign: (caller: Caller) => Promise<string>;
  verifier: ReturnType<typeof createVerifier>;
  /** As OCTAVO_TRUSTED_KEYS and OCTAVO_SIGNING_KEY hold them. */
  trustedKeys: { keys: Key["publicKey"][] };
  signingKey: Key["privateKey"];
}

type Key = ReturnType<typeof newKey>;

/** The surroundings of one service under test, with fresh keys; neighbours that stand in for services share them. */
export function surroundingsOf(
  service: ServiceName,
  addresses: Partial<Parameters<typeof createUrls>[0]> = {},
): Surroundings {
  const keys = new Map(SERVICES.map((name) => [name, newKey(name)]));
  const trustedKeys = { keys: [...keys.values()].map(({ publicKey }) => publicKey) };
  const self: Caller = { kind: "service", service };
  const sign = (caller: Caller) =>
    keys.get(caller.kind === "service" ? caller.service : "gateway")!.signer.sign(caller);
  return {
    service,
    log: createLog({ service, level: process.env.TEST_LOG ?? "silent" }),
    urls: createUrls({
      base: "http://octavo.test",
      app: "http://octavo.test/app",
      sites: "http://octavo.test/sites",
      ...addresses,
    }),
    vault: createVault(Buffer.alloc(32, 7).toString("base64")),
    self,
    ownIdentity: () => sign(self),
    sign,
    verifier: createVerifier(trustedKeys),
    trustedKeys,
    signingKey: keys.get(service)!.privateKey,
  };
}

function newKey(kid: string) {
  const pair = generateKeyPairSync("ed25519");
  const privateKey = { ...pair.privateKey.export({ format: "jwk" }), kid };
  return {
    privateKey,
    publicKey: { ...pair.publicKey.export({ format: "jwk" }), kid },
    signer: createSigner(privateKey),
  };
}
