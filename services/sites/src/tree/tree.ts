import type { Selectable } from "kysely";
import type { Database } from "../db/database.js";

/** A row as changes of a structure know it. */
type Row<Table extends keyof Database> = Omit<Selectable<Database[Table]>, "created_at">;
export type Group = Row<"section_group">;
export type Section = Row<"site_section">;
export type SiteSpace = Row<"site_space">;

/**
 * The whole structure of a site. A site without sections has its site spaces at the root; with sections, each site
 * space is a variant of one of them, and each section lies at the root or in a group. Those whose space is in the
 * trash are part of it, since they keep their place and path.
 */
export interface Tree {
  groups: Group[];
  sections: Section[];
  siteSpaces: SiteSpace[];
}

/** Whether a site space is shown at all: its space is not in the trash. */
export const isShown = ({ trashed_at }: SiteSpace): boolean => trashed_at === null;

/** The shown variants of a section, or of the root, in their order. */
export const variantsOf = (tree: Tree, section: string | null): SiteSpace[] =>
  sorted(tree.siteSpaces.filter((row) => row.section === section && isShown(row)));

/** The sections that show something, in the order of the whole site. */
export function shownSections(tree: Tree): Section[] {
  const filled = new Set(tree.siteSpaces.filter(isShown).map(({ section }) => section));
  return sorted(tree.sections.filter(({ id }) => filled.has(id)));
}

/** The sections and groups at the root or in a group, in their order. */
export const itemsIn = ({ groups, sections }: Tree, group: string | null) =>
  sorted([
    ...groups.filter(({ parent }) => parent === group),
    ...sections.filter(({ section_group }) => section_group === group),
  ]);

/** The site spaces at the root or in a section, in their order, shown or not. */
export const siteSpacesIn = ({ siteSpaces }: Tree, section: string | null): SiteSpace[] =>
  sorted(siteSpaces.filter((row) => row.section === section));

/** The section that a site space is a variant of; undefined at the root. */
export const sectionOf = (tree: Tree, { section }: SiteSpace): Section | undefined =>
  tree.sections.find(({ id }) => id === section);

interface Placed {
  id: string;
  position: number;
}

/** Things by position, ties by id. */
export const sorted = <Item extends Placed>(items: Item[]): Item[] =>
  items.toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
