import { LRUCache } from "lru-cache";

interface Kept {
  /** The revision that the value was read at, or the tag of a response. */
  revision: string;
  value: object;
}

/** Parts of content that were read lately, each with the revision that it belongs to. */
export class ContentCache extends LRUCache<string, Kept> {
  /** Values that are made right now, by name, revision and caller, for all requests that ask for them meanwhile. */
  readonly underWay = new Map<string, Promise<object>>();
}

const MIB = 1024 * 1024;

/** Creates a cache of about `bytes` of text. */
export const createContentCache = (bytes = 160 * MIB): ContentCache => new ContentCache({ maxSize: bytes });
