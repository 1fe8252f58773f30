import { LRUCache } from "lru-cache";
import type { Tree } from "./tree.js";

/** Structures that were read lately by the id of their site, each with the version of the site that it belongs to. */
export type StructureCache = LRUCache<string, { version: number; tree: Tree }>;

/** Creates a cache of structures that hold so many sections, groups and site spaces together, of about 0.5 kB each. */
export const createStructureCache = (size = 20_000): StructureCache =>
  new LRUCache({ maxSize: size, sizeCalculation: ({ tree }) => 1 + sizeOf(tree) });

const sizeOf = ({ groups, sections, siteSpaces }: Tree) =>
  groups.length + sections.length + siteSpaces.length;
