import { slugify, uniqueSlug } from "@octavo/markdown/source/slug";
import { newId } from "@octavo/shared/ids";
import { endOf } from "./order.js";
import { type Group, itemsIn, type Section, type SiteSpace, siteSpacesIn, type Tree } from "./tree.js";

// Changes of a structure in memory. They are complete only after `normalize`.

/** Leaves room for the number that makes a path unique. */
const LONGEST_PATH = 90;

interface Owner {
  id: string;
  organization: string;
}

/** A path made from a title, unlike those of its siblings. */
function freePath(title: string, siblings: { path: string }[]): string {
  const taken = new Set(siblings.map(({ path }) => path.toLowerCase()));
  return uniqueSlug([...slugify(title, "docs")].slice(0, LONGEST_PATH).join(""), taken);
}

/** Sets those fields of a row that are given. */
export function assign<Row extends object>(row: Row, fields: Partial<Row>): void {
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) Object.assign(row, { [name]: value });
}

/** Whether a sibling has this path, in any case. */
export const isTaken = (path: string, self: string, siblings: { id: string; path: string }[]): boolean =>
  siblings.some(({ id, path: other }) => id !== self && other.toLowerCase() === path.toLowerCase());

/** Adds a space as the last variant of a section, or of the root. */
export function addSiteSpace(
  tree: Tree,
  site: Owner,
  space: { id: string; title: string },
  section: string | null,
): SiteSpace {
  const siblings = siteSpacesIn(tree, section);
  const row: SiteSpace = {
    id: newId("sitesp"),
    site: site.id,
    organization: site.organization,
    section,
    space: space.id,
    path: freePath(space.title, siblings),
    condition: null,
    is_default: false,
    position: endOf(siblings),
    trashed_at: null,
    advanced_customization: false,
  };
  tree.siteSpaces.push(row);
  return row;
}

interface Titled {
  title: string;
  icon?: string | null;
}

/** Adds a section as the last at the root; it has to get a site space. */
export function addSection(tree: Tree, site: Owner, { title, icon = null }: Titled): Section {
  const row: Section = {
    id: newId("sitesc"),
    site: site.id,
    organization: site.organization,
    section_group: null,
    title,
    icon,
    description: null,
    path: freePath(title, tree.sections),
    condition: null,
    is_default: false,
    position: endOf(itemsIn(tree, null)),
  };
  tree.sections.push(row);
  return row;
}

/** Puts the site spaces at the root, if there are any, into a first section. */
export function wrapRoot(tree: Tree, site: Owner, title: string): void {
  const rows = siteSpacesIn(tree, null);
  if (rows.length === 0) return;
  const section = addSection(tree, site, { title });
  section.is_default = true;
  for (const row of rows) row.section = section.id;
}

/** Removes a section: the last one leaves its site spaces at the root, any other takes them off the site. */
export function removeSection(tree: Tree, section: Section): void {
  const isLast = tree.sections.length === 1;
  tree.sections = tree.sections.filter(({ id }) => id !== section.id);
  if (isLast) for (const row of tree.siteSpaces) row.section = null;
  else tree.siteSpaces = tree.siteSpaces.filter((row) => row.section !== section.id);
}

/** Removes a site space. */
export function removeSiteSpace(tree: Tree, { id }: SiteSpace): void {
  tree.siteSpaces = tree.siteSpaces.filter((row) => row.id !== id);
}

/** Makes one of its siblings the default. */
export function makeDefault<Item extends { id: string; is_default: boolean }>(all: Item[], id: string) {
  for (const item of all) item.is_default = item.id === id;
}

/** Adds a group as the last at the root or in a group. */
export function addGroup(tree: Tree, site: Owner, given: Titled & { parent: string | null }): Group {
  const { title, icon = null, parent } = given;
  const row: Group = {
    id: newId("sitesg"),
    site: site.id,
    organization: site.organization,
    parent,
    title,
    icon,
    position: endOf(itemsIn(tree, parent)),
  };
  tree.groups.push(row);
  return row;
}

/** Puts a section at the end of a group, or of the root; one that is there already keeps its place. */
export function putSection(tree: Tree, section: Section, group: string | null): void {
  if (section.section_group === group) return;
  section.position = endOf(itemsIn(tree, group));
  section.section_group = group;
}

/** Puts a group with all in it at the end of another one, or of the root; one that is there already keeps its place. */
export function putGroup(tree: Tree, group: Group, parent: string | null): void {
  if (group.parent === parent) return;
  group.position = endOf(itemsIn(tree, parent));
  group.parent = parent;
}

/** Removes a group: what lies in it takes its place. */
export function removeGroup(tree: Tree, group: Group): void {
  const items = itemsIn(tree, group.id);
  for (const [index, item] of items.entries()) {
    item.position = group.position + (index + 1) / (items.length + 1);
    if ("section_group" in item) item.section_group = group.parent;
    else item.parent = group.parent;
  }
  tree.groups = tree.groups.filter(({ id }) => id !== group.id);
}

/** A group and those that it lies in, from the innermost to the outermost. */
export function ancestry(tree: Tree, group: string | null): Group[] {
  const found: Group[] = [];
  let next = tree.groups.find(({ id }) => id === group);
  while (next && !found.includes(next)) {
    found.push(next);
    const { parent } = next;
    next = tree.groups.find(({ id }) => id === parent);
  }
  return found;
}

/** How many groups lie in each other below this one, itself counted. */
export function depthOf(tree: Tree, group: Group): number {
  const inner = tree.groups.filter(({ parent }) => parent === group.id);
  return 1 + Math.max(0, ...inner.map((each) => depthOf(tree, each)));
}
