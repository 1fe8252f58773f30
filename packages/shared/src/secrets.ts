import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Belonging } from "./contracts/belonging.js";

const VERSION = "v2";
/** Of an earlier release: sealed for whatever it stands at. */
const UNBOUND = "v1";

export interface Vault {
  /** Encrypts a text for what it belongs to: `v2.<key>.<iv, tag and ciphertext in base64url>`. */
  seal(text: string, belonging: Belonging): string;
  /**
   * The text of a sealed value; throws when it was altered, was sealed for something else, or its key is not known. What
   * an earlier release sealed belongs to nothing, and opens for everything until it is sealed again.
   */
  open(sealed: string, belonging: Belonging): string;
  /** Whether the value was sealed with another key than the current one, or for nothing, and should be sealed again. */
  stale(sealed: string): boolean;
}

/**
 * Encryption at rest, AES-256-GCM. `keys` are base64 of 32 bytes each, as a list or joined by commas:
 * the first seals, all of them open. To rotate, put the new key first and drop the old one when nothing
 * is stale any more.
 */
export function createVault(keys: string | readonly string[]): Vault {
  const ring = (typeof keys === "string" ? keys.split(",") : keys).map(readKey);
  const byName = new Map(ring.map((entry) => [entry.name, entry.key]));
  const [current] = ring;
  if (!current) throw new Error("The vault needs a key");
  const prefix = `${VERSION}.${current.name}`;

  function seal(text: string, belonging: Belonging): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", current!.key, iv).setAAD(bound(prefix, belonging));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return `${prefix}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`;
  }

  function open(sealed: string, belonging: Belonging): string {
    const [version, name = "", body = "", ...rest] = sealed.split(".");
    const key = byName.get(name);
    const bytes = Buffer.from(body, "base64url");
    const isVault = version === VERSION || version === UNBOUND;
    if (!isVault || rest.length > 0 || bytes.length < 28) throw new Error("Not a sealed secret");
    if (!key) throw new Error("The key of this secret is not in the vault");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(
        version === UNBOUND ? Buffer.from(`${version}.${name}`) : bound(`${version}.${name}`, belonging),
      )
      .setAuthTag(bytes.subarray(12, 28));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    } catch {
      throw new Error("The secret was altered, belongs elsewhere or its key is wrong");
    }
  }

  return { seal, open, stale: (sealed) => !sealed.startsWith(`${prefix}.`) };
}

/** What is authenticated besides the text; as JSON, so that no two belongings look alike. */
const bound = (prefix: string, { kind, id, organization = "" }: Belonging) =>
  Buffer.from(`${prefix}.${JSON.stringify([kind, id, organization])}`);

/** Whether the text can be a vault's key: base64 of 32 bytes. */
export const isVaultKey = (base64: string) =>
  /^[A-Za-z0-9+/]+=*$/.test(base64) && Buffer.from(base64, "base64").length === 32;

function readKey(base64: string) {
  const key = Buffer.from(base64.trim(), "base64");
  if (key.length !== 32) throw new Error("A vault key must be 32 bytes in base64");
  return { key, name: createHash("sha256").update("octavo vault").update(key).digest("hex").slice(0, 8) };
}
