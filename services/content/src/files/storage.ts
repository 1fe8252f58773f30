import type { Readable } from "node:stream";

export interface StoredFile {
  /** SHA-256 of the content in base64url: its name in the store. */
  hash: string;
  /** Bytes. */
  size: number;
  /** The first bytes, for telling what kind of file it is. */
  head: Buffer;
}

/** Where the content of files lies: each content once, under its hash. */
export interface FileStorage {
  /** Keeps a content; refuses PAYLOAD_TOO_LARGE beyond `limit` bytes and keeps nothing then. */
  put(content: Readable | Buffer, limit: number): Promise<StoredFile>;
  /** Opens a content for reading, or a part of it; undefined when it is not there. */
  open(hash: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
}
