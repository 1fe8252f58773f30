import type { WrittenJson } from "@octavo/shared/rest/written-json";
import { LRUCache } from "lru-cache";

/** The profile of a site as some visitors find it, as the bytes of its response. */
export interface Profile {
  /** The version of the site and the digest of its spaces that it was made at. */
  state: string;
  json: WrittenJson;
  etag: string;
}

/** Profiles that were read lately, by what decides what their visitors see. */
export type ProfileCache = LRUCache<string, Profile>;

const MIB = 1024 * 1024;
/** A digest is compared with those of these minutes alone. */
const KEPT_MS = 600_000;

/** Creates a cache of profiles of so many bytes together. */
export const createProfileCache = (bytes = 64 * MIB): ProfileCache =>
  // With the compressed form, which is a tenth of it.
  new LRUCache({ maxSize: bytes, ttl: KEPT_MS, sizeCalculation: ({ json }) => Math.ceil(json.length * 1.2) });
