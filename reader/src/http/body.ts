import { createHash } from "node:crypto";

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
  /** So many ms it is current: what it shows changes without the key that it is kept under. */
  lasts?: number;
  /** Whether it was sent to somebody, and not drawn ahead alone. */
  sent?: boolean;
}

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
