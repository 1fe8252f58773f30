import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const VERSION = "v1";

export interface Vault {
  /** Encrypts and authenticates a text: `v1.<key>.<iv, tag and ciphertext in base64url>`. */
  seal(text: string): string;
  /** The text of a sealed value; throws when it was altered or its key is not known. */
  open(sealed: string): string;
  /** Whether the value was sealed with another key than the current one, and should be sealed again. */
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

  function seal(text: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", current!.key, iv).setAAD(Buffer.from(prefix));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return `${prefix}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`;
  }

  function open(sealed: string): string {
    const [version, name = "", body = "", ...rest] = sealed.split(".");
    const key = byName.get(name);
    const bytes = Buffer.from(body, "base64url");
    if (version !== VERSION || rest.length > 0 || bytes.length < 28) throw new Error("Not a sealed secret");
    if (!key) throw new Error("The key of this secret is not in the vault");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(`${version}.${name}`))
      .setAuthTag(bytes.subarray(12, 28));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    } catch {
      throw new Error("The secret was altered or its key is wrong");
    }
  }

  return { seal, open, stale: (sealed) => !sealed.startsWith(`${prefix}.`) };
}

/** Whether the text can be a vault's key: base64 of 32 bytes. */
export const isVaultKey = (base64: string) =>
  /^[A-Za-z0-9+/]+=*$/.test(base64) && Buffer.from(base64, "base64").length === 32;

function readKey(base64: string) {
  const key = Buffer.from(base64.trim(), "base64");
  if (key.length !== 32) throw new Error("A vault key must be 32 bytes in base64");
  return { key, name: createHash("sha256").update("octavo vault").update(key).digest("hex").slice(0, 8) };
}
