import type { Operation } from "@octavo/html/openapi/schema";
import { type Block, type JSONDocument, plainText } from "@octavo/markdown/document/nodes";
import type { Linked, Referred } from "../links.js";
import type { Place } from "../places.js";
import type { Site } from "../site.js";
import type { Entry, Space } from "../space.js";

// What drawing a document takes, as data that can be handed to another thread: of the spaces, what the document names.

type Listed = Pick<Entry, "id" | "type" | "title" | "description" | "emoji" | "icon" | "path">;

interface Part {
  entries: Listed[];
  /** The page that has no path of its own. */
  first: string | undefined;
  files: [string, ReturnType<Space["files"]["get"]> & object][];
}

/** A document, and all that drawing it has to know. */
export interface Given {
  document: JSONDocument;
  place: Pick<Place, "space" | "base">;
  site: Pick<Site, "spaces" | "spoken"> & { newTab?: boolean };
  own: Part;
  others: [string, Part][];
  reusables: [string, JSONDocument][];
  operations: [string, Operation][];
  /** Milliseconds that colors and formulas may take. */
  time: number;
  /** How many blocks and other nodes there are, and characters of code and formulas. */
  size: { nodes: number; sources: number };
}

interface Of {
  place: Place;
  site: Site;
  space: Space;
  document: JSONDocument;
  referred: Referred<Space>;
}

/** Collects what drawing a document takes. */
export function givenFor({ place, site, space, document, referred }: Of, time: number): Given {
  const names = new Set<string>();
  const size = { nodes: 0, sources: 0 };
  for (const one of [document, ...referred.reusables.values()]) collect(one, names, size);
  const { spaces, reusables, operations = new Map() } = referred;
  size.sources += 1_000 * operations.size;
  return {
    ...{ document, time, size },
    place: { space: place.space, base: place.base },
    site: {
      ...{ spaces: site.spaces, spoken: site.spoken },
      newTab: site.look.externalLinks.target === "blank",
    },
    own: partOf(space, names),
    others: [...spaces].map(([id, other]) => [id, partOf(other, names)]),
    reusables: [...reusables],
    operations: [...operations],
  };
}

/** Puts all texts of a document that may be names into a set, and counts what drawing it will cost. */
function collect(document: JSONDocument, names: Set<string>, size: Given["size"]): void {
  const open: unknown[] = [document.nodes];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const { object, type, data } = next as { object?: unknown; type?: unknown; data?: { formula?: unknown } };
    if (object !== undefined) size.nodes += 1;
    if (type === "code-line") size.sources += 1 + plainText([next as Block]).length;
    if (typeof data?.formula === "string") size.sources += 1_000;
    for (const inner of Object.values(next)) {
      if (typeof inner === "object" && inner !== null) open.push(inner);
      else if (typeof inner === "string" && inner.length < 128) names.add(inner);
    }
  }
}

function partOf({ byId, files, order }: Space, names: Set<string>): Part {
  const found = [...names].flatMap((name) => byId.get(name) ?? []);
  return {
    entries: found.map(({ id, type, title, description, emoji, icon, path }) => {
      return { id, type, title, description, emoji, icon, path };
    }),
    first: order[0]?.id,
    files: [...names].flatMap((name) => {
      const file = files.get(name);
      return file ? [[name, file] as const] : [];
    }) as Part["files"],
  };
}

/** The spaces as far as they were given, for what links are made of. */
export function linkedIn({ own, others, reusables, operations }: Given): {
  space: Linked;
  referred: Referred;
} {
  return {
    space: linkedOf(own),
    referred: {
      spaces: new Map(others.map(([id, part]) => [id, linkedOf(part)])),
      reusables: new Map(reusables),
      operations: new Map(operations),
    },
  };
}

function linkedOf({ entries, first, files }: Part): Linked {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const home = first === undefined ? undefined : byId.get(first);
  return { byId, files: new Map(files), order: home ? [home] : [] };
}
