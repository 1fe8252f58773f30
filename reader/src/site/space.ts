import { createHash } from "node:crypto";
import type { Ref } from "@octavo/markdown/document/refs";
import { LRUCache } from "lru-cache";
import type { Place } from "./places.js";
import type { Visitor } from "./upstreams.js";

type SpaceTree = Awaited<ReturnType<Visitor["content"]["shownPages"]["space"]["query"]>>;
type TreeEntry = SpaceTree["pages"][number];
/** A file, with the hash of its content, which its address names. */
export type File = SpaceTree["files"][number];

/** A page, group or link of a space, where it stands in the tree; a path is below the base of the space. */
export interface Entry extends Omit<TreeEntry, "pages" | "hidden" | "noIndex" | "noRobotsIndex"> {
  hidden: boolean;
  noIndex: boolean;
  parent?: Entry;
  children: Entry[];
}

/** What a space holds at a revision, as one kind of visitor sees it. */
export interface Space {
  /** The same for all that see the same. */
  key: string;
  top: Entry[];
  byId: Map<string, Entry>;
  /** By the path in lower case: case decides nothing. */
  byPath: Map<string, Entry>;
  /** The pages in the order in which they are read, without hidden ones. */
  order: Entry[];
  /** What its links lead to. */
  targets: Ref[];
  files: Map<string, File>;
  filesByHash: Map<string, File>;
}

/** Bytes of what is kept of spaces, about. */
const MAX_BYTES = 12 * 1024 * 1024;
/** Bytes of a space that holds nothing, and of each page, group, link and file of it with what the sidebar shows of it. */
const [EMPTY, ENTRY] = [2_000, 1_000];
/** Revisions of a space that are kept for one audience: whoever came before a merge may still ask for the former one. */
const REVISIONS = 2;
const spaces = new LRUCache<string, Promise<Space>>({
  max: 500,
  maxSize: MAX_BYTES,
  sizeCalculation: () => EMPTY,
});
/** The keys of the revisions of a space that are kept for one audience, the last one at the end. */
const revisions = new LRUCache<string, string[]>({ max: 500 });

/** The bytes that a space takes in memory, about; the largest one is kept as well, instead of all others. */
export const sizeOfSpace = ({ byId, files }: Space): number =>
  Math.min(MAX_BYTES, EMPTY + ENTRY * (byId.size + files.size));

/** What distinguishes visitors who may see different things. */
export function audienceOf({ visitor, site }: Place): string {
  const { epoch, claims } = visitor.caller;
  return createHash("sha256")
    .update(JSON.stringify([site, epoch, claims ?? null]))
    .digest("base64url")
    .slice(0, 22);
}

/** The tree of pages and the files of the place's space, at its revision. A revision never changes, so neither does what is kept. */
export async function spaceOf(place: Place): Promise<Space> {
  const audience = audienceOf(place);
  const key = `${place.space}/${place.revision}/${audience}`;
  const known = spaces.get(key);
  if (known) return known;
  const { visitor, space: spaceId, revision: revisionId } = place;
  const asked = visitor.patient.content.shownPages.space.query({ spaceId, revisionId }).then((shown) => {
    const made = spaceFrom(key, shown);
    spaces.set(key, Promise.resolve(made), { size: sizeOfSpace(made) });
    forgetFormer(`${spaceId}/${audience}`, key);
    return made;
  });
  spaces.set(key, asked);
  asked.catch(() => spaces.delete(key));
  return asked;
}

/** Forgets all but the last revisions of a space for one audience, of which one was asked for just now. */
function forgetFormer(spaceAndAudience: string, key: string): void {
  const keys = [...(revisions.get(spaceAndAudience) ?? []).filter((one) => one !== key), key];
  for (const former of keys.splice(0, Math.max(0, keys.length - REVISIONS))) spaces.delete(former);
  revisions.set(spaceAndAudience, keys);
}

/** Puts the pages of a revision into the maps that requests look into. */
export function spaceFrom(key: string, { pages, files }: { pages: TreeEntry[]; files: File[] }): Space {
  const space: Space = {
    key,
    top: [],
    order: [],
    targets: [],
    byId: new Map(),
    byPath: new Map(),
    files: new Map(files.map((file) => [file.id, file])),
    filesByHash: new Map(files.map((file) => [file.hash, file])),
  };
  const open = pages.map((page) => ({ page, parent: undefined as Entry | undefined })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { page, parent } = next;
    const entry = entryOf(page, parent);
    (parent?.children ?? space.top).push(entry);
    space.byId.set(entry.id, entry);
    if (entry.path !== undefined) space.byPath.set(entry.path.toLowerCase(), entry);
    if (entry.type === "document" && !entry.hidden) space.order.push(entry);
    if (entry.target) space.targets.push(entry.target);
    for (const child of [...(page.pages ?? [])].reverse()) open.push({ page: child, parent: entry });
  }
  return space;
}

function entryOf(page: TreeEntry, parent: Entry | undefined): Entry {
  const { id, type, title, emoji, icon, description, path, target, updatedAt, length } = page;
  return {
    id,
    type,
    title,
    emoji,
    icon,
    description,
    path,
    target,
    updatedAt,
    length,
    hidden: page.hidden === true || parent?.hidden === true,
    noIndex: page.noIndex === true || page.noRobotsIndex === true,
    parent,
    children: [],
  };
}
