import type { Operation } from "@octavo/html/openapi/schema";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { SiteContext } from "../site/context.js";
import type { Linked, Referred } from "../site/links.js";
import type { Place } from "../site/places.js";
import type { Site } from "../site/site.js";
import type { Entry, Space } from "../site/space.js";
import { type Facts, factsOf, type Size } from "./facts.js";

// What drawing a document takes, as data that can be handed to another thread: of the spaces, what the document names.

type Listed = Pick<Entry, "id" | "type" | "title" | "description" | "emoji" | "icon" | "path">;

interface Part {
  entries: Listed[];
  /** The page that has no path of its own. */
  first: string | undefined;
  files: [string, ReturnType<Space["files"]["get"]> & object][];
}

/** All that drawing a document has to know. */
export interface DrawingInput {
  /** The document, as JSON: a text is handed on faster than what it stands for. */
  json: string;
  place: Pick<Place, "space" | "base" | "siteCanonical">;
  site: Pick<Site, "spaces" | "spoken" | "newTab">;
  own: Part;
  others: [string, Part][];
  reusables: [string, JSONDocument][];
  operations: [string, Operation][];
  /** Milliseconds that colors and formulas may take. */
  time: number;
  /** Of the document and what it includes. */
  size: Size;
}

/** The same for a page as markdown. */
export interface MarkdownInput extends DrawingInput {
  title: string;
  /** The address of the space, which paths are written as whole addresses by. */
  canonical: string;
}

interface DrawingContext extends SiteContext {
  json: string;
  facts: Facts;
  referred: Referred<Space>;
}

/** What an operation costs, in characters of code. */
const OPERATION = 1_000;

/** Collects what drawing a document takes. */
export function inputFor(
  { place, site, space, json, facts, referred }: DrawingContext,
  time: number,
): DrawingInput {
  const { spaces, reusables, operations = new Map() } = referred;
  const all = [facts, ...[...reusables.values()].map(factsOf)];
  const names = new Set(all.flatMap((one) => one.names));
  const sumOf = (of: keyof Size) => all.reduce((sum, { size }) => sum + size[of], 0);
  return {
    json,
    time,
    size: { nodes: sumOf("nodes"), sources: sumOf("sources") + OPERATION * operations.size },
    place: { space: place.space, base: place.base, siteCanonical: place.siteCanonical },
    site: { spaces: site.spaces, spoken: site.spoken, newTab: site.newTab },
    own: partOf(space, names),
    others: [...spaces].map(([id, other]) => [id, partOf(other, names)]),
    reusables: [...reusables],
    operations: [...operations],
  };
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
export function linkedIn({ own, others, reusables, operations }: DrawingInput): {
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
