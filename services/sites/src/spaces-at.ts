import { LRUCache } from "lru-cache";

/** The ids of the spaces that addresses led to last, by address without its query. */
export type SpacesAt = LRUCache<string, string>;

/** Creates a memory of where addresses of so many characters together led. */
export const createSpacesAt = (characters = 1_000_000): SpacesAt =>
  new LRUCache({ maxSize: characters, sizeCalculation: (_, address) => address.length });
