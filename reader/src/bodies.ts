import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** A finished response that is kept. */
export interface Body {
  status: number;
  type: string;
  bytes: Buffer;
  /** Made when it is asked for the second time. */
  brotli?: Buffer;
  etag: string;
  headers: Record<string, string>;
  /** So many ms it may be kept: what it shows changes without the key that it is kept under. */
  lasts?: number;
}

/** Bytes of finished bodies, those of their compressed forms included, that are kept. */
const MOST = 32 * 1024 * 1024;

/**
 * The finished bodies, of which no more bytes are kept than fit: this is their one owner. A key says all that a body
 * depends on, and above all who may see it.
 */
export function createBodies(most = MOST) {
  const kept = new LRUCache<string, Body>({ maxSize: most, sizeCalculation: sizeOf, maxEntrySize: most / 4 });
  return {
    get: (key: string): Body | undefined => kept.get(key),
    keep(key: string, body: Body): void {
      kept.set(key, body, { ttl: body.lasts ?? 0 });
    },
    /** How many bytes are kept. */
    get bytes(): number {
      return kept.calculatedSize;
    },
  };
}
export type Bodies = ReturnType<typeof createBodies>;

const sizeOf = ({ bytes, brotli }: Body): number => 500 + bytes.length + (brotli?.length ?? 0);

/** Makes a body, with the entity tag that its bytes have. */
export function bodyOf(
  text: string,
  { status = 200, type, headers = {} }: { status?: number; type: string; headers?: Record<string, string> },
): Body {
  const bytes = Buffer.from(text);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { status, type, bytes, etag, headers };
}
