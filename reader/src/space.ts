import { createHash } from "node:crypto";
import type { Ref } from "@octavo/markdown/document/refs";
import { LRUCache } from "lru-cache";
import type { Place } from "./places.js";
import type { Visitor } from "./upstreams.js";

type Revision = Awaited<ReturnType<Visitor["content"]["revisionContent"]["revision"]["query"]>>;
type PageShape = Revision["pages"][number];
/** A file, with the hash of its content, which its address names. */
export type File = Revision["files"][number] & { hash: string };

/** A page, group or link of a space, where it stands in the tree. */
export interface Entry {
  id: string;
  type: PageShape["type"];
  title: string;
  emoji?: string;
  icon?: string;
  description?: string;
  /** Below the base of the space, without a slash before it; absent for links. */
  path?: string;
  /** What a link leads to. */
  target?: Ref;
  hidden: boolean;
  noIndex: boolean;
  updatedAt?: string;
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

/** Characters of what is kept of spaces, about. */
const MOST = 24 * 1024 * 1024;
const spaces = new LRUCache<string, Promise<Space>>({ max: 500, maxSize: MOST, sizeCalculation: () => 1 });

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
  const key = `${place.space}/${place.revision}/${audienceOf(place)}`;
  const known = spaces.get(key);
  if (known) return known;
  const { visitor, space: spaceId, revision: revisionId } = place;
  const at = { spaceId, revisionId };
  const asked = Promise.all([
    visitor.content.revisionContent.revision.query({ ...at, metadata: false }),
    visitor.content.publishedFiles.list.query(at),
  ]).then(([{ pages, files }, { items }]) => {
    const hashes = new Map(items.map(({ id, hash }) => [id, hash]));
    const withHash = files.flatMap((file) => {
      const hash = hashes.get(file.id);
      return hash === undefined ? [] : [{ ...file, hash }];
    });
    const made = spaceFrom(key, { pages, files: withHash });
    spaces.set(key, Promise.resolve(made), { size: 2_000 + 600 * (made.byId.size + made.files.size) });
    return made;
  });
  spaces.set(key, asked, { size: 2_000 });
  asked.catch(() => spaces.delete(key));
  return asked;
}

/** Puts the pages of a revision into the maps that requests look into. */
export function spaceFrom(key: string, { pages, files }: { pages: PageShape[]; files: File[] }): Space {
  const space: Space = {
    ...{ key, top: [], order: [], targets: [] },
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
    const inner = "pages" in page ? page.pages : [];
    for (const child of [...inner].reverse()) open.push({ page: child, parent: entry });
  }
  return space;
}

function entryOf(page: PageShape, parent: Entry | undefined): Entry {
  const { id, type, title, emoji, icon } = page;
  const updatedAt = page.updatedAt ?? page.createdAt;
  const hidden = ("hidden" in page && page.hidden === true) || parent?.hidden === true;
  const place = "path" in page ? { path: page.path } : {};
  const target = type === "link" ? { target: page.target } : {};
  const description = type === "document" ? { description: page.description } : {};
  const noIndex =
    ("noIndex" in page && page.noIndex === true) || ("noRobotsIndex" in page && page.noRobotsIndex === true);
  return {
    id,
    type,
    title,
    emoji,
    icon,
    updatedAt,
    ...place,
    ...target,
    ...description,
    hidden,
    noIndex,
    parent,
    children: [],
  };
}
