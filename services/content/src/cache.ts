import { LRUCache } from "lru-cache";

interface Kept {
  /** The revision that the value was read at, or the tag of a response. */
  revision: string;
  value: object;
}

/** Parts of content that were read lately, each with the revision that it belongs to. */
export type ContentCache = LRUCache<string, Kept>;

const MIB = 1024 * 1024;

/** Creates a cache of about `bytes` of text. */
export const createContentCache = (bytes = 160 * MIB): ContentCache => new LRUCache({ maxSize: bytes });
