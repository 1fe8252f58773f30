import { CompactSign, compactVerify, importJWK, type JWK } from "jose";

/** The header of a NATS message that carries the signature of its body: a detached JWS, `<header>..<signature>`. */
export const SIGNATURE_HEADER = "Octavo-Signature";

const ALGORITHM = "EdDSA";
const TYPE = "octavo-event";

export interface EventSigner {
  /** The service that publishes: the `kid` of its key. */
  publisher: string;
  /** Signs the body of an event together with the time of signing. */
  sign(body: Uint8Array): Promise<string>;
}

/** Signs events with the Ed25519 key (a private JWK) that the service also signs its identity with. */
export function createEventSigner(privateJwk: JWK): EventSigner {
  const { kid } = privateJwk;
  if (!kid) throw new Error("The signing key needs a kid");
  const key = importJWK(privateJwk, ALGORITHM);
  return {
    publisher: kid,
    sign: async (body) => {
      const iat = Math.floor(Date.now() / 1000);
      const header = { alg: ALGORITHM, kid, typ: TYPE, iat };
      const [head, , signature] = (
        await new CompactSign(body).setProtectedHeader(header).sign(await key)
      ).split(".");
      return `${head}..${signature}`;
    },
  };
}

export interface EventSignature {
  publisher: string;
  /** Seconds since 1970. */
  signedAt: number;
}

export interface EventVerifier {
  /** Who signed the body, and when; throws when no trusted key did. */
  verify(signature: string, body: Uint8Array): Promise<EventSignature>;
}

/** Accepts events that were signed with one of the trusted keys (a JWKS, each key named by its service). */
export function createEventVerifier({ keys }: { keys: JWK[] }): EventVerifier {
  const byName = new Map(keys.map(({ kty, crv, x, kid }) => [kid, importJWK({ kty, crv, x }, ALGORITHM)]));
  return {
    verify: async (signature, body) => {
      const [head, payload, tail, ...rest] = signature.split(".");
      if (payload !== "" || !tail || rest.length > 0) throw new Error("not a detached signature");
      const attached = `${head}.${Buffer.from(body).toString("base64url")}.${tail}`;
      const { protectedHeader } = await compactVerify(
        attached,
        async ({ kid }) => {
          const key = await byName.get(kid);
          if (!key) throw new Error("the key of the signature is not trusted");
          return key;
        },
        { algorithms: [ALGORITHM] },
      );
      const { kid, typ, iat } = protectedHeader;
      if (typ !== TYPE || typeof iat !== "number") throw new Error("not the signature of an event");
      return { publisher: kid!, signedAt: iat };
    },
  };
}
