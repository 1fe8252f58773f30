import { createHash } from "node:crypto";
import { orgsClient } from "@octavo/orgs/client";
import { createSigner } from "@octavo/shared/identity";
import { addressOf } from "./deployables.js";
import type { Settings } from "./settings.js";
import type { Jwk, StateFile } from "./state.js";

/**
 * Makes sure of the first organization, its administrator and the token, by a call to orgs with the launcher's
 * own identity. Done once, and again when the operator gives another token: one that was revoked later stays so.
 */
export async function ensureFirst(given: { settings: Settings; file: StateFile }) {
  const { settings, file } = given;
  const { state } = file;
  const token = settings.adminToken ?? state.adminToken;
  const digest = createHash("sha256").update(token).digest("hex");
  if (state.first?.token === digest) return { token, firstStart: false };
  const firstStart = !state.first;
  const { organization, user } = await makeFirst({
    orgsUrl: addressOf("orgs", settings),
    signingKey: state.signingKeys.launcher,
    token,
  });
  Object.assign(state, { adminToken: token, first: { organization, user, token: digest } });
  file.save();
  return { token, firstStart };
}

interface Calling {
  orgsUrl: string;
  /** The launcher's private key. */
  signingKey: Jwk;
  token: string;
}

/** Asks orgs for the first organization and an administrator who holds the token; what is there is left as it is. */
export function makeFirst({ orgsUrl, signingKey, token }: Calling) {
  const signer = createSigner(signingKey);
  const identity = () => signer.sign({ kind: "service", service: "launcher" });
  return orgsClient({ url: orgsUrl, identity }).bootstrap.ensure.mutate({
    token,
    organization: { title: "My organization" },
    user: { displayName: "Administrator", email: "administrator@localhost" },
  });
}
