import { LRUCache } from "lru-cache";
import type { Tree } from "./tree.js";

/** The structure of a site at one of its versions. */
export interface Structure {
  version: number;
  tree: Tree;
  /** Whether any redirect or former path of the site leads elsewhere. */
  isRedirected: boolean;
  /** Which of its site spaces show where their pages are edited. */
  withEditLink: ReadonlySet<string>;
}

/** Structures that were read lately, by the id of their site. */
export type StructureCache = LRUCache<string, Structure>;

/** Creates a cache of structures that hold so many sections, groups and site spaces together, of about 0.5 kB each. */
export const createStructureCache = (size = 20_000): StructureCache =>
  new LRUCache({ maxSize: size, sizeCalculation: ({ tree }) => 1 + sizeOf(tree) });

const sizeOf = ({ groups, sections, siteSpaces }: Tree) =>
  groups.length + sections.length + siteSpaces.length;
