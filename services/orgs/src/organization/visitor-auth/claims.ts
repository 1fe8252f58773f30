import { createHmac } from "node:crypto";
import { roleIn } from "@octavo/shared/contracts/callers";
import { keyOfSite } from "@octavo/shared/contracts/events/sites";
import { coversScopes } from "@octavo/shared/contracts/scopes";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

/** Long enough for a page to load and hand it on. */
const LIFE_S = 600;

/**
 * A token that says to the visitor authentication of the organization's default site who the caller is: a JWT, HS256
 * with the site's private key, good for ten minutes. There is none without such a site or while it asks nobody, for guests, and for callers whose
 * token does not reach sites. An address counts once somebody confirmed it.
 */
export async function visitorClaims(ctx: Ctx, organization: string): Promise<string | undefined> {
  const { caller, urls, clock, vault, log } = ctx;
  if (caller.kind !== "user" || !coversScopes(caller.scopes, ["sites:read"])) return undefined;
  const role = roleIn(caller, organization);
  if (!role) return undefined;
  const person = await queries.introduction(ctx, organization, caller.id);
  if (!person) return undefined;
  const iat = Math.floor(clock().getTime() / 1000);
  const claims = {
    iss: urls.api`/orgs/${organization}`,
    aud: person.site,
    sub: caller.id,
    iat,
    exp: iat + LIFE_S,
    organization,
    role,
    name: person.display_name,
    email: person.email_verified ? (person.email ?? undefined) : undefined,
  };
  try {
    return sign(claims, vault.open(person.visitor_key, keyOfSite(person.site, organization)));
  } catch (error) {
    log.warn({ err: error, site: person.site }, "the private key of a site cannot be opened");
    return undefined;
  }
}

const HEADER = encode({ alg: "HS256", typ: "JWT" });

function sign(claims: object, key: string): string {
  const signed = `${HEADER}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
