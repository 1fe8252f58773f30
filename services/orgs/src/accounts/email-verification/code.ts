import { createHash, randomInt } from "node:crypto";

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A code of 60 random bits, as people read it: `K7MP-Q2XW-9RTB`. */
export function newCode(): string {
  const letters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

/** The hash of a code, however somebody typed it: SHA-256. */
export function codeHash(code: string): Buffer {
  return createHash("sha256")
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ""))
    .digest();
}
