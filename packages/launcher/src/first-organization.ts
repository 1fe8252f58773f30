import { createHash } from "node:crypto";
import type { OrgsRouter } from "@octavo/orgs/client";
import { serviceClient } from "@octavo/shared/client";
import { createSigner } from "@octavo/shared/identity";
import { addressOf } from "./deployables.js";
import type { Settings } from "./settings.js";
import type { Jwk, StateFile } from "./state.js";

/**
 * Makes sure of the first organization, its administrator and the token, by a call to orgs with the launcher's
 * own identity. Done once, and again when the operator gives another token: one that was revoked later stays so.
 */
export async function ensureFirst(given: Given) {
  const response = await ensureToken(given);
  await ensureDomains(given);
  return response;
}

async function ensureToken({ settings, file }: Given) {
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
  Object.assign(state, {
    adminToken: token,
    first: { ...state.first, organization, user, token: digest },
  });
  file.save();
  return { token, firstStart };
}

/** Tells the domains that the operator added since the last start; what an administrator took away later stays so. */
async function ensureDomains({ settings, file: { state, save } }: Given) {
  const { first } = state;
  const news = settings.emailDomains.filter((domain) => !first?.emailDomains?.includes(domain));
  if (!first || news.length === 0) return;
  const calling = { orgsUrl: addressOf("orgs", settings), signingKey: state.signingKeys.launcher };
  await vouchFor({ ...calling, organization: first.organization, emailDomains: news });
  first.emailDomains = settings.emailDomains;
  save();
}

interface Given {
  settings: Settings;
  file: StateFile;
}

interface Calling {
  orgsUrl: string;
  /** The launcher's private key. */
  signingKey: Jwk;
}

/** Asks orgs for the first organization and an administrator who holds the token; what is there is left as it is. */
export function makeFirst({ token, ...calling }: Calling & { token: string }) {
  return orgsAt(calling).bootstrap.ensure.mutate({
    token,
    organization: { title: "My organization" },
    user: { displayName: "Administrator", email: "administrator@localhost" },
  });
}

/** Has orgs take these domains for the organization's. */
export function vouchFor({ organization, emailDomains, ...calling }: Calling & Vouched) {
  return orgsAt(calling).bootstrap.vouch.mutate({ organization, emailDomains });
}

interface Vouched {
  organization: string;
  emailDomains: string[];
}

function orgsAt({ orgsUrl, signingKey }: Calling) {
  const signer = createSigner(signingKey);
  return serviceClient<OrgsRouter>({
    url: orgsUrl,
    identity: () => signer.sign({ kind: "service", service: "launcher" }),
  });
}
