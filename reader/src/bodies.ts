import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** A finished response that is kept, compressed or as it is. */
export interface Body {
  status: number;
  type: string;
  /** Its bytes as it is. */
  length: number;
  /** As it is: given up when it is compressed, until a client asks that does not take that. */
  bytes: Buffer | undefined;
  /** Made for the first client that takes it. */
  brotli?: Buffer;
  etag: string;
  headers: Record<string, string>;
  /** So many ms it may be kept: what it shows changes without the key that it is kept under. */
  lasts?: number;
  /** Whether it was sent to somebody, and not drawn ahead alone. */
  sent?: boolean;
}

/** Bytes of finished bodies, those of their compressed forms included, that are kept. */
const MOST = 6 * 1024 * 1024;

/**
 * The finished bodies, of which no more bytes are kept than fit: this is their one owner. A key says all that a body
 * depends on, and above all who may see it.
 */
export function createBodies(most = MOST) {
  const kept = new LRUCache<string, Body>({ maxSize: most, sizeCalculation: sizeOf, maxEntrySize: most / 2 });
  const making = new Map<string, Promise<Body | undefined>>();

  async function make(key: string, draw: () => Promise<Body | undefined>): Promise<Body | undefined> {
    try {
      const body = await draw();
      if (body) kept.set(key, body, { ttl: body.lasts ?? 0 });
      return body;
    } finally {
      making.delete(key);
    }
  }

  return {
    /** The body under a key, which is drawn once where several ask for it at a time; undefined when there is none to draw. */
    async get(key: string, draw: () => Promise<Body | undefined>): Promise<Body | undefined> {
      const there = kept.get(key);
      if (there) return there;
      const made = making.get(key) ?? make(key, draw);
      making.set(key, made);
      return made;
    },
    /** Whether a body is kept or being drawn. */
    has: (key: string): boolean => kept.has(key) || making.has(key),
    /** Counts what a body takes whose forms have changed since it was kept; it does not last longer by that. */
    count(key: string, body: Body): void {
      if (kept.peek(key) !== body) return;
      const left = kept.getRemainingTTL(key);
      kept.delete(key);
      kept.set(key, body, { ttl: Number.isFinite(left) ? left : 0 });
    },
    /** How many bytes are kept. */
    get bytes(): number {
      return kept.calculatedSize;
    },
  };
}
export type Bodies = ReturnType<typeof createBodies>;

/** The bytes that a body takes in memory. */
export const sizeOf = ({ bytes, brotli }: Body): number => 500 + (bytes?.length ?? 0) + (brotli?.length ?? 0);

/** Makes a body, with the entity tag that its bytes have. */
export function bodyOf(
  text: string,
  { status = 200, type, headers = {} }: { status?: number; type: string; headers?: Record<string, string> },
): Body {
  const bytes = Buffer.from(text);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { status, type, length: bytes.length, bytes, etag, headers };
}
