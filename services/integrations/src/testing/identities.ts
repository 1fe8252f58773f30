import { generateKeyPairSync } from "node:crypto";
import type { Caller, UserCaller } from "@octavo/shared/contracts/callers";
import type { Role } from "@octavo/shared/contracts/roles";
import { createSigner, createVerifier, IDENTITY_HEADER } from "@octavo/shared/identity";
import { newId } from "@octavo/shared/ids";

const [gateway, own] = [newKey("gateway"), newKey("integrations")];

/** The public keys that a service under test trusts, as OCTAVO_TRUSTED_KEYS holds them. */
export const trustedKeys = { keys: [gateway.publicKey, own.publicKey] };
/** The key that integrations signs with, as OCTAVO_SIGNING_KEY holds it. */
export const signingKey = own.privateKey;
export const verifier = createVerifier(trustedKeys);

/** integrations itself, and its signed identity. */
export const self: Caller = { kind: "service", service: "integrations" };
export const ownIdentity = () => own.signer.sign(self);

export type Roles = Record<string, Role | null>;

/** Somebody with these roles, and the identity that the gateway signs for them. */
export async function person(roles: Roles, over: Partial<UserCaller> = {}) {
  const names = { id: newId(), name: "Ada", token: newId() };
  const caller: Caller = { kind: "user", ...names, organizations: roles, teams: [], ...over };
  return { caller, identity: await gateway.signer.sign(caller) };
}

/** Sends requests as the gateway forwards them; `address` is the service's. */
export const sender =
  (address: string, identity: string) => async (method: string, path: string, body?: unknown) => {
    const headers: Record<string, string> = { [IDENTITY_HEADER]: identity };
    if (body !== undefined) headers["content-type"] = "application/json";
    const answer = await fetch(`${address}/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : undefined };
  };

function newKey(kid: string) {
  const pair = generateKeyPairSync("ed25519");
  const privateKey = { ...pair.privateKey.export({ format: "jwk" }), kid };
  return {
    privateKey,
    publicKey: { ...pair.publicKey.export({ format: "jwk" }), kid },
    signer: createSigner(privateKey),
  };
}
