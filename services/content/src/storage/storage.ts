import type { Readable } from "node:stream";

/** A content that came in whole and is not kept yet. */
export interface StagedFile {
  /** SHA-256 of the content in base64url: its name in the store. */
  hash: string;
  /** Bytes. */
  size: number;
  /** The first bytes, for telling what kind of file it is. */
  head: Buffer;
  /** Where it lies on this machine until it is kept or discarded. */
  path: string;
}

/** Where the content of files lies: each content once, under its hash. */
export interface FileStorage {
  /** Takes a content in; refuses PAYLOAD_TOO_LARGE beyond `limit` bytes and holds nothing then. */
  stage(content: Readable | Buffer, limit: number): Promise<StagedFile>;
  /** Lets go of what was staged, kept or not. */
  discard(file: StagedFile): Promise<void>;
  /** Keeps a staged content for good. It is there whole or not at all, and keeping it again does no harm. */
  keep(file: StagedFile): Promise<void>;
  /** Opens a content for reading, or a part of it; undefined when it is not there. */
  open(hash: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  has(hash: string): Promise<boolean>;
  /** Removes a content; nothing happens when it is not there. Who calls it holds the row of the content. */
  remove(hash: string): Promise<void>;
  /** Removes what a crash left staged before this time. */
  sweep(before: Date): Promise<void>;
}

/** The place of a content, the same in a folder and in a bucket, so that one can be copied to the other. */
export function keyOf(hash: string): string {
  if (!/^[A-Za-z0-9_-]{43}$/.test(hash)) throw new Error("not a name of a content");
  return `${hash.slice(0, 2)}/${hash}`;
}
