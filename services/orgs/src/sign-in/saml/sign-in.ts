// A sign-in goes from us to the identity provider with a request, back with an assertion, and ends with a code that
// is good for one token.

import { createHash, randomBytes } from "node:crypto";
import { transact } from "@octavo/shared/database/transact";
import { found, onConstraint, refuse, refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { issue as issueTokens } from "../../accounts/tokens/issue.js";
import * as tokens from "../../accounts/tokens/rules.js";
import { auditToken } from "../../audit/audit.js";
import { redeem } from "../../membership/invites/redeem.js";
import type { Ctx } from "../../trpc.js";
import { type Claims, readClaims } from "./assertion.js";
import { readEnvelope } from "./document.js";
import { admit } from "./provision.js";
import * as providers from "./queries.js";
import { requestTo, verify } from "./service-provider.js";
import * as queries from "./sign-in-queries.js";
import { isActive, serviceOf } from "./view.js";
import { refuseResponse } from "./xml.js";

const REQUEST_MS = 10 * 60_000;
const CODE_MS = 60_000;
const TOKEN_MS = 12 * 3_600_000;

const hash = (text: string) => createHash("sha256").update(text).digest();
const after = ({ clock }: Ctx, ms: number) => new Date(clock().getTime() + ms).toISOString();

/** A provider that people can sign in through; 404 for none, 409 for one that is not set up. */
async function activeProvider(ctx: Ctx, id: string): Promise<providers.Row> {
  const row = found(await providers.findAny(ctx, id), "SAML provider");
  if (!isActive(row))
    refuse("CONFLICT", "SAML provider: is not set up completely", { reason: "provider_pending" });
  return row;
}

/** Opens a request; returns where at the identity provider the browser has to go. */
export async function start(ctx: Ctx, provider: string, returnTo: string): Promise<string> {
  const row = await activeProvider(ctx, provider);
  await queries.prune(ctx, ctx.clock().toISOString());
  const request = { id: `_${randomBytes(20).toString("hex")}`, relayState: newId() };
  await queries.openRequest(ctx, {
    id: request.id,
    provider: row.id,
    relay_state: request.relayState,
    return_to: returnTo,
    expires_at: after(ctx, REQUEST_MS),
  });
  return requestTo(ctx, row, request);
}

/**
 * Takes what the browser brings from the identity provider; returns where it goes on, with a code in the query. A
 * response that holds is used up, whether the person is let in or not.
 */
export async function consume(ctx: Ctx, provider: string, form: URLSearchParams): Promise<string> {
  const row = await activeProvider(ctx, provider);
  const [response, more] = form.getAll("SAMLResponse");
  if (response === undefined || more !== undefined) refuseResponse("must be given once", "saml_malformed");
  const { acsURL, entityID } = serviceOf(ctx, row);
  const { encoded, inResponseTo } = readEnvelope(response, { acsURL, issuer: row.entity_id });
  const request = await queries.findRequest(ctx, row.id, inResponseTo, ctx.clock().toISOString());
  if (!request) refuseResponse("answers no open request");
  if (form.get("RelayState") !== request.relay_state) refuseResponse("came with another RelayState");
  const verified = await verify(ctx, row, request.id, encoded);
  const claims = readClaims(verified, {
    audience: entityID,
    recipient: acsURL,
    request: request.id,
    issuer: row.entity_id,
    now: ctx.clock(),
  });
  await useUp(ctx, row, request.id, claims);
  const code = await letIn(ctx, row, claims);
  const target = new URL(request.return_to);
  target.searchParams.set("code", code);
  return target.href;
}

function useUp(ctx: Ctx, { id: provider }: providers.Row, request: string, claims: Claims) {
  return transact(ctx, async (ctx) => {
    if (!(await queries.closeRequest(ctx, request))) refuseResponse("answers no open request");
    const seen = { provider, hash: hash(claims.assertion), expires_at: claims.expires };
    if (!(await queries.noteAssertion(ctx, seen))) refuseResponse("was shown before");
  });
}

function letIn(ctx: Ctx, provider: providers.Row, claims: Claims): Promise<string> {
  return transact(ctx, async (ctx) => {
    const person = await admit(ctx, provider, claims);
    const code = randomBytes(32).toString("base64url");
    const kept = { hash: hash(code), provider: provider.id, person, expires_at: after(ctx, CODE_MS) };
    await queries.insertCode(ctx, kept);
    return code;
  });
}

/**
 * The token for a code, once: for that of an invite that came by mail, or within a minute for that of a sign-in. The
 * latter is bound to the provider's organization, and ends with the membership and with the provider.
 */
export async function exchange(ctx: Ctx, code: unknown) {
  if (typeof code !== "string") refuseCode("must be a text");
  const taken = await queries.takeCode(ctx, hash(code));
  const redeemed = taken ? undefined : await redeem(ctx, code);
  if (redeemed) return redeemed;
  if (!taken || Date.parse(taken.expires_at) <= ctx.clock().getTime())
    refuseCode("is not known, was used, or is too old");
  const provider = (await providers.findAny(ctx, taken.provider)) ?? refuseGone();
  try {
    return await transact(ctx, (ctx) => issue(ctx, provider, taken.person));
  } catch (error) {
    onConstraint(error, "token_membership", () => refuseCode("is of somebody who is no longer a member"));
    onConstraint(error, "token_saml_provider_fkey", refuseGone);
    throw error;
  }
}

const refuseGone = () => refuseCode("is of an identity provider that is gone");

async function issue(ctx: Ctx, { id: saml_provider, label, organization }: providers.Row, person: string) {
  const expires_at = after(ctx, TOKEN_MS);
  const made = { person, label: `Sign-in: ${label}`, expires_at, saml_provider, organization };
  const { id, token } = (await issueTokens(ctx, [made]))[0]!;
  const { display_name: name } = await queries.nameOf(ctx, person);
  const caller = { kind: "user" as const, id: person, name, organizations: {}, teams: [], token: id };
  const own = { ...ctx, caller };
  await auditToken(own, "token.signIn", { id, organization }, { label });
  return { ...(await tokens.get({ ctx: own, input: { tokenId: id } })), token };
}

function refuseCode(message: string): never {
  refuseAt("body.code", message, { reason: "invalid_code" });
}
