import { createHash } from "node:crypto";

/** The form of the key in the address of a share link; addresses are read without regard to case. */
const KEY = /^[0-9a-f]{40}$/i;

/** Returns the hash by which services know the key of a share link; undefined for what cannot be one. */
export const hashOfShareKey = (key: string): string | undefined =>
  KEY.test(key) ? createHash("sha256").update(key.toLowerCase()).digest("base64url") : undefined;

/** Such a key as a segment of a path, where any of its letters may be percent-encoded. */
const IN_PATH = /(?<=\/)(?:[0-9a-f]|%[346][0-9a-f]){40}(?=\/|$)/gi;

/** Returns a path with `~` for each segment that may be the key of a share link: whoever reads it can open nothing by it. */
export const withoutShareKeys = (path: string): string => path.replace(IN_PATH, "~");
