import { importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { bearerHash } from "./bearer.js";
import type { ReaderCaller } from "./contracts/callers.js";

// What a renderer reads a published site with: a JWT that the sites service signs with its own key, and the gateway
// verifies by itself. Its audience keeps it apart from identities, which the same key signs.

const SIGNER = "sites";
const ALGORITHM = "EdDSA";
const AUDIENCE = "octavo-reader";
/** All tokens of one half hour that say the same are the same, so that renderers can key caches by them. */
const STEP_S = 1800;
const LIFE_S = 2 * STEP_S;
const SKEW_S = 5;
/** Characters of the tokens that are kept, so that they are not signed anew. */
const KEPT = 4 * 1024 * 1024;
/** Bytes of the longest token, which travels in a header with others. */
export const LONGEST_READER_TOKEN = 6_144;

/** Every reader token begins with the same header, which distinguishes it from bearers that have to be resolved. */
const HEADER = { alg: ALGORITHM, kid: SIGNER, typ: "octavo-reader+jwt" };
const BEGINNING = `${Buffer.from(JSON.stringify(HEADER)).toString("base64url")}.`;

const payload = z.object({
  kind: z.literal("site"),
  organization: z.string().min(1),
  site: z.string().min(1),
  siteSection: z.string().optional(),
  siteSpace: z.string().min(1),
  space: z.string().min(1),
  revision: z.string().min(1),
  epoch: z.number().int().min(0),
  claims: z.record(z.string(), z.unknown()).optional(),
  preview: z.literal(true).optional(),
  editLink: z.literal(true).optional(),
  exp: z.number(),
});

/** What a reader token says. */
export type ReaderTokenPayload = Omit<z.output<typeof payload>, "kind" | "exp">;

/** Signs reader tokens with the key of the sites service. */
export interface ReaderTokens {
  /** Returns a token that is good for half an hour at least and an hour at most. */
  create(reader: ReaderTokenPayload, now: Date): Promise<string>;
}

/** Creates the signer of reader tokens from the private key of the sites service. */
export function createReaderTokens(signingKey: JWK): ReaderTokens {
  const key = importJWK(signingKey, ALGORITHM);
  const signed = new LRUCache<string, string>({
    maxSize: KEPT,
    sizeCalculation: (token, claims) => token.length + claims.length,
  });
  return {
    create: async (reader, now) => {
      const issued = Math.floor(now.getTime() / 1000 / STEP_S) * STEP_S;
      const claims = JSON.stringify([issued, reader]);
      const kept = signed.get(claims);
      if (kept !== undefined) return kept;
      const token = await new SignJWT({ kind: "site", ...reader })
        .setProtectedHeader(HEADER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issued)
        .setExpirationTime(issued + LIFE_S)
        .sign(await key);
      signed.set(claims, token);
      return token;
    },
  };
}

/** Returns whether a text has the form of a reader token. */
export const isReaderToken = (text: string): boolean =>
  text.startsWith(BEGINNING) && text.length <= LONGEST_READER_TOKEN;

/** The caller of a reader token, and until when it is one. */
export interface VerifiedReader {
  caller: ReaderCaller;
  /** ISO time. */
  expiresAt: string;
}

/** Verifies reader tokens by the public key of the sites service; null for one that is forged, altered or over. */
export function createReaderVerifier({ keys }: { keys: JWK[] }) {
  const jwk = keys.find(({ kid }) => kid === SIGNER);
  const key = jwk && importJWK({ kty: jwk.kty, crv: jwk.crv, x: jwk.x }, ALGORITHM);
  return async (token: string): Promise<VerifiedReader | null> => {
    if (!key) return null;
    try {
      const options = { algorithms: [ALGORITHM], audience: AUDIENCE, clockTolerance: SKEW_S };
      const verified = await jwtVerify(token, await key, { ...options, requiredClaims: ["exp", "iat"] });
      const read = payload.parse(verified.payload);
      const { organization, site, space, revision, epoch, claims, preview, editLink, exp } = read;
      const id = bearerHash(token).toString("base64url").slice(0, 22);
      const caller: ReaderCaller = {
        kind: "reader",
        organization,
        site,
        epoch,
        space,
        revision,
        claims,
        ...(preview && { preview }),
        ...(editLink && { editLink }),
        token: id,
      };
      return { caller, expiresAt: new Date(exp * 1000).toISOString() };
    } catch {
      return null;
    }
  };
}
