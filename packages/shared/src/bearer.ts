import { createHash } from "node:crypto";
import { base62Digits, randomDigits } from "./ids.js";

const PREFIX = "oct_";
/** The prefix of tokens of integrations; it shows which service to ask about one. */
const INTEGRATION_PREFIX = "oci_";
/** 178 random bits. */
const SECRET_DIGITS = 30;
const CHECKSUM_DIGITS = 6;
const MADE = new RegExp(
  `^(?:${PREFIX}|${INTEGRATION_PREFIX})[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`,
);
/** What RFC 6750 lets stand behind `Bearer`. */
const BEARER = /^[A-Za-z0-9._~+/-]+=*$/;
const SHORTEST = 20;
const LONGEST = 512;

/** A new opaque token: `oct_`, a random secret in base62, and a checksum that reveals a mistyped one. */
export const newBearer = (): string => make(PREFIX);

/** Returns a new token of an integration, which begins with `oci_`. */
export const newIntegrationBearer = (): string => make(INTEGRATION_PREFIX);

/** Returns whether a token begins as those of integrations do. */
export const isIntegrationBearer = (text: string): boolean => text.startsWith(INTEGRATION_PREFIX);

function make(prefix: string): string {
  const secret = prefix + randomDigits(SECRET_DIGITS);
  return secret + checksum(secret);
}

/**
 * Whether a text can be a token at all, which costs no look-up: one of ours with its checksum, or another that an
 * operator chose (20 to 512 characters).
 */
export function isBearer(text: string): boolean {
  if (MADE.test(text)) return checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);
  return text.length >= SHORTEST && text.length <= LONGEST && BEARER.test(text);
}

/** The form in which a token is stored: its SHA-256. */
export function bearerHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function checksum(secret: string): string {
  return base62Digits(bearerHash(secret).readUIntBE(0, 6), CHECKSUM_DIGITS);
}
