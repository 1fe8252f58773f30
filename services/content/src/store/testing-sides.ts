import { decideConflicts } from "@octavo/markdown/merge/decide";
import { mergeMarkdown } from "@octavo/markdown/merge/merge";
import { hashOf, textIn } from "./bodies.js";
import { type EntryFields, type Texts, withFields } from "./merge-entry.js";
import type { Entry, PageEntry } from "./version.js";

/** A page with nothing but the given properties. */
export const pageWith = (fields: EntryFields = {}): Entry => withFields(PAGE, { props: {}, ...fields });

const PAGE: PageEntry = {
  id: "page",
  kind: "page",
  parent: null,
  position: "a0",
  slug: "page",
  title: "Page",
  body: null,
  git_path: null,
  git_oid: null,
  props: { type: "document" },
  created_at: "2026-01-01T00:00:00Z",
  updated_at: null,
};

/** Texts in memory, merged and decided as the service does it; `keep` adds one and returns its hash. */
export function textsInMemory() {
  const known = new Map<string, string>();
  const texts: Texts = {
    textOf: (hash) => textIn(known, hash),
    merge: async (disputed) => mergeMarkdown(disputed),
    decide: async (disputed, wanted) => decideConflicts(disputed, wanted),
  };
  const keep = (text: string) => {
    known.set(hashOf(text), text);
    return hashOf(text);
  };
  return { texts, keep };
}

const PARTS = [
  "title",
  "slug",
  "git_path",
  "position",
  "icon",
  "tags",
  "layout.width",
  "layout.cover",
  "variables.a",
  "variables.b",
  "document.0",
  "document.1",
  "document.2",
];
/** What a page says, by the names of its parts: fields and blocks are parts of their own. */
export type Parts = Partial<Record<string, string>>;
type Name = string;

const namesIn = (property: string) => PARTS.filter((name) => name.split(".")[0] === property);

/** The parts with some of them changed by chance; properties that a page may lack go at times, unless `always` names them. */
export function changed(random: () => number, parts: Parts, chance: number, always: string[] = []): Parts {
  const others = PARTS.filter(() => random() < chance).map((name) => {
    const stays = !/^(?:icon|tags|layout|variables)/.test(name) || always.includes(name);
    return [name, random() < 0.25 && !stays ? undefined : `${Math.floor(random() * 3)}`];
  });
  return { ...parts, ...Object.fromEntries(others) };
}

/** Parts that are all there. */
export const allParts = (): Parts => Object.fromEntries(PARTS.map((name) => [name, "0"]));

/** The page that says this; its fields come in any order. */
export function pageOf(parts: Parts, random: () => number, keep: (text: string) => string): Entry {
  const { title, slug, git_path, position: place, icon, tags } = parts;
  const fields = (property: string) => {
    const there = namesIn(property).filter((name) => parts[name] !== undefined);
    if (random() < 0.5) there.reverse();
    const values = there.map((name) => [name.slice(property.length + 1), parts[name]]);
    return values.length > 0 && { [property]: Object.fromEntries(values) };
  };
  const blocks = namesIn("document").map((name) => `${name} ${parts[name]}\n`);
  return pageWith({
    title: title!,
    slug: slug!,
    git_path: git_path!,
    body: keep(blocks.join("\n")),
    parent: place === "0" ? null : "above",
    position: place === "2" ? "a1" : "a0",
    props: {
      ...(icon && { icon }),
      ...(tags && { tags: ["any", tags] }),
      ...fields("layout"),
      ...fields("variables"),
    },
  });
}

/** Three states of what a page says; without a base it is new on both sides. */
export interface PartSides {
  base: Parts | undefined;
  primary: Parts;
  own: Parts;
}

/** What a merge makes of three states, and the parts that are in conflict, together where they are compared together. */
export function mergedParts({ base, primary, own }: PartSides): { parts: Parts; conflicts: Name[][] } {
  const parts: Parts = {};
  const conflicts: Name[][] = [];
  for (const names of unitsOf({ base, primary, own })) {
    const of = (side: Parts = {}) => JSON.stringify(names.map((name) => side[name]));
    const isOwn = of(own) !== of(primary) && of(own) !== of(base);
    if (isOwn && of(primary) !== of(base)) conflicts.push(names);
    for (const name of names) parts[name] = (isOwn ? own : primary)[name];
  }
  return { parts, conflicts };
}

/** Fields and blocks are compared one by one where all that have to hold some do, and else with each other. */
function unitsOf({ base, primary, own }: PartSides): Name[][] {
  return [...new Set(PARTS.map((name) => name.split(".")[0]!))].flatMap((property) => {
    const names = namesIn(property);
    const holds = (side: Parts) => names.some((name) => side[name] !== undefined);
    const isWhole = property === "document" ? !base : !holds(primary) || !holds(own);
    return isWhole ? [names] : names.map((name) => [name]);
  });
}

/** The properties that hold these parts. */
export const propertiesOf = (conflicts: Name[][]): string[] =>
  [...new Set(conflicts.map(([name]) => name!.split(".")[0]!))].sort();
