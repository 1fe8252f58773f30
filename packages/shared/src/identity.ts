import { importJWK, type JWK, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type Caller, SERVICES } from "./contracts/callers.js";
import { ROLES } from "./contracts/roles.js";
import { refuse } from "./errors.js";

/** The header that carries a signed caller from the gateway, or from service to service. */
export const IDENTITY_HEADER = "x-octavo-identity";
/** The header of a response that names users and tokens (ids, with commas) whose identity has just changed. */
export const IDENTITY_CHANGED_HEADER = "x-octavo-identity-changed";

const ALGORITHM = "EdDSA";
const AUDIENCE = "octavo";
const LONGEST = 300;
const SKEW = 5;

/** Claims are short because they travel with every request. */
const userClaims = z.object({
  k: z.literal("user"),
  sub: z.string().min(1),
  n: z.string(),
  e: z.string().optional(),
  p: z.string().optional(),
  o: z.record(z.string(), z.enum(ROLES).nullable()),
  t: z.array(z.string()),
  s: z.array(z.string()).optional(),
  id: z.string(),
});
const reach = z.object({ all: z.boolean(), but: z.array(z.string()) });
const serviceClaims = z.object({ k: z.literal("service"), sub: z.enum(SERVICES) });
const integrationClaims = z.object({
  k: z.literal("integration"),
  sub: z.string().min(1),
  i: z.string().optional(),
  o: z.string(),
  s: z.array(z.string()),
  rs: reach.optional(),
  rt: reach.optional(),
  id: z.string(),
});
const readerClaims = z.object({
  k: z.literal("reader"),
  sub: z.string().min(1),
  o: z.string(),
  ep: z.number().int(),
  sp: z.string(),
  r: z.string(),
  c: z.record(z.string(), z.unknown()).optional(),
  pr: z.literal(true).optional(),
  el: z.literal(true).optional(),
  id: z.string(),
});
const claims = z.discriminatedUnion("k", [userClaims, integrationClaims, readerClaims, serviceClaims]);

function toClaims(caller: Caller): z.input<typeof claims> {
  if (caller.kind === "service") return { k: "service", sub: caller.service };
  if (caller.kind === "integration") {
    const { integration, installation, organization, scopes, spaces, sites, token } = caller;
    const where = { rs: spaces, rt: sites };
    return {
      k: "integration",
      sub: integration,
      i: installation,
      o: organization,
      s: scopes,
      ...where,
      id: token,
    };
  }
  if (caller.kind === "reader") {
    const { site, organization, epoch, space, revision, claims, preview, editLink, token } = caller;
    return {
      k: "reader",
      sub: site,
      o: organization,
      ep: epoch,
      sp: space,
      r: revision,
      c: claims,
      pr: preview,
      el: editLink,
      id: token,
    };
  }
  const { id, name, email, photo, organizations, teams, scopes, token } = caller;
  return {
    k: "user",
    sub: id,
    n: name,
    e: email,
    p: photo,
    o: organizations,
    t: teams,
    s: scopes,
    id: token,
  };
}

/** The organizations have no prototype, so that no id such as `constructor` is found in them. */
function toCaller(read: z.output<typeof claims>): Caller {
  if (read.k === "service") return Object.freeze({ kind: "service", service: read.sub });
  if (read.k === "integration") {
    const { sub: integration, i: installation, o: organization, s: scopes, id: token } = read;
    const where = { ...(read.rs && { spaces: read.rs }), ...(read.rt && { sites: read.rt }) };
    return Object.freeze({
      kind: "integration",
      integration,
      installation,
      organization,
      scopes,
      ...where,
      token,
    } as const);
  }
  if (read.k === "reader") {
    const { sub: site, o: organization, ep: epoch, sp: space, r: revision, c: claims, pr: preview } = read;
    const at = { organization, site, epoch, space, revision };
    const flags = { ...(preview && { preview }), ...(read.el && { editLink: read.el }) };
    return Object.freeze({ kind: "reader", ...at, claims, ...flags, token: read.id });
  }
  const organizations = Object.freeze(Object.assign(Object.create(null), read.o));
  const { sub: id, n: name, e: email, p: photo, t: teams, s: scopes, id: token } = read;
  return Object.freeze({ kind: "user", id, name, email, photo, organizations, teams, scopes, token });
}

export interface Signer {
  /** Signs a caller for `ttl` seconds (60 to 300). */
  sign(caller: Caller, audience?: string, ttl?: number): Promise<string>;
  /**
   * The token of the principal that `key` names, signed at most once until a third of its life is left.
   * Whoever changes the caller changes the key, or calls `forget`.
   */
  cached(key: string, caller: () => Caller, ttl?: number): Promise<string>;
  forget(key: string): void;
}

/** Signs callers with an Ed25519 key (a private JWK); `kid` names the signer and is written to every token. */
export function createSigner(privateJwk: JWK, kid = privateJwk.kid): Signer {
  if (!kid || privateJwk.crv !== "Ed25519" || !privateJwk.d) {
    throw new Error("The signing key must be a private Ed25519 JWK with a kid");
  }
  const key = importJWK(privateJwk, ALGORITHM);
  const tokens = new LRUCache<string, { token: Promise<string>; renew: number }>({ max: 10_000 });

  async function sign(caller: Caller, audience = AUDIENCE, ttl = 120): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT(toClaims(caller) as JWTPayload)
      .setProtectedHeader({ alg: ALGORITHM, kid })
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + Math.min(LONGEST, Math.max(60, ttl)))
      .sign(await key);
  }

  function cached(name: string, caller: () => Caller, ttl = 120): Promise<string> {
    const known = tokens.get(name);
    if (known && known.renew > Date.now()) return known.token;
    const token = sign(caller(), AUDIENCE, ttl);
    tokens.set(name, { token, renew: Date.now() + ttl * 667 });
    token.catch(() => tokens.delete(name));
    return token;
  }

  return { sign, cached, forget: (name) => tokens.delete(name) };
}

export interface Verifier {
  /** The caller of a signed identity; 401 for anything that is not one. The result is shared and frozen. */
  verify(token: string): Promise<Caller>;
}

/**
 * Accepts identities signed by one of the trusted keys (a JWKS, each key named by its signer). Users, integrations and
 * readers are believed to the gateway alone, a service only to itself. What was verified is remembered until it expires.
 */
export function createVerifier(publicJwks: { keys: JWK[] }, audience = AUDIENCE): Verifier {
  const keys = new Map(publicJwks.keys.map((jwk) => [jwk.kid, importPublic(jwk)]));
  const verified = new LRUCache<string, { caller: Caller; until: number }>({ max: 10_000 });
  const keyOf: JWTVerifyGetKey = async ({ kid }) =>
    (await keys.get(kid)) ?? refuse("UNAUTHORIZED", "Identity: not trusted", { reason: "identity_refused" });

  async function verify(token: string): Promise<Caller> {
    const known = verified.get(token);
    if (known && known.until > Date.now()) return known.caller;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
        algorithms: [ALGORITHM],
        audience,
        clockTolerance: SKEW,
        requiredClaims: ["sub", "exp", "iat"],
      });
      const read = claims.parse(payload);
      if (!signersOf(read).includes(protectedHeader.kid ?? ""))
        throw new Error("Signed by another than the one who may");
      if (payload.exp! - payload.iat! > LONGEST) throw new Error("Lives too long");
      const caller = toCaller(read);
      verified.set(token, { caller, until: payload.exp! * 1000 });
      return caller;
    } catch (cause) {
      refuse("UNAUTHORIZED", "Identity: not trusted", { reason: "identity_refused", cause });
    }
  }

  return { verify };
}

/** Who is believed to speak for somebody; the reader shows sites to their visitors, and speaks for nobody else. */
function signersOf(read: z.output<typeof claims>): string[] {
  if (read.k === "service") return [read.sub];
  return read.k === "reader" ? ["gateway", "reader"] : ["gateway"];
}

function importPublic(jwk: JWK) {
  if (!jwk.kid || jwk.kty !== "OKP" || jwk.crv !== "Ed25519") {
    throw new Error("Every trusted key must be an Ed25519 JWK with a kid");
  }
  const { kty, crv, x } = jwk;
  return importJWK({ kty, crv, x }, ALGORITHM);
}
