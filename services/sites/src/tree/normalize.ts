import {
  isShown,
  itemsIn,
  type Section,
  type SiteSpace,
  shownSections,
  siteSpacesIn,
  sorted,
  type Tree,
  variantsOf,
} from "./tree.js";

/**
 * Makes what a change left of a structure whole: no section without a site space, no site space beside the sections,
 * nothing in a group that is gone, exactly one default wherever something is shown, and one number after the other for
 * the positions. Where a default is gone, the next sibling takes its place, else the first.
 */
export function normalize(tree: Tree, before: Tree = tree): Tree {
  const wasDefault = defaultsOf(before);
  const filled = new Set(tree.siteSpaces.map(({ section }) => section));
  tree.sections = tree.sections.filter(({ id }) => filled.has(id));
  adopt(tree);
  detachFromMissingGroups(tree);
  for (const { id } of tree.sections) normalizeVariants(tree, id, wasDefault.variants.get(id));
  if (tree.sections.length === 0) normalizeVariants(tree, null, wasDefault.variants.get(null));
  keepOneDefault(shownSections(tree), tree.sections, wasDefault.section);
  renumber(tree);
  return tree;
}

/** Where the defaults stood, by section, so that their successors can be found when they are gone. */
const defaultsOf = ({ sections, siteSpaces }: Tree) => ({
  section: sections.find(({ is_default }) => is_default)?.position,
  variants: new Map(
    siteSpaces.filter(({ is_default }) => is_default).map(({ section, position }) => [section, position]),
  ),
});

/** Site spaces beside sections, which the release before could still add, are variants of the default section. */
function adopt({ sections, siteSpaces }: Tree) {
  const home = sections.find(({ is_default }) => is_default) ?? sorted(sections)[0];
  if (!home) return;
  for (const row of siteSpaces) row.section ??= home.id;
}

function detachFromMissingGroups({ groups, sections }: Tree) {
  const known = new Set<string | null>(groups.map(({ id }) => id));
  for (const group of groups) if (!known.has(group.parent)) group.parent = null;
  for (const section of sections) if (!known.has(section.section_group)) section.section_group = null;
}

function normalizeVariants(tree: Tree, section: string | null, position?: number) {
  const siblings = tree.siteSpaces.filter((row) => row.section === section);
  keepOneDefault(variantsOf(tree, section), siblings, position);
}

function keepOneDefault<Item extends Section | SiteSpace>(shown: Item[], all: Item[], position = 0) {
  const heir = () => shown.find((item) => item.position > position) ?? shown[0];
  const chosen = shown.find(({ is_default }) => is_default) ?? heir();
  for (const item of all) item.is_default = item === chosen;
}

/** Numbers groups, sections and site spaces from top to bottom, each before what it holds. */
function renumber(tree: Tree) {
  let last = 0;
  const number = (item: { position: number }) => {
    item.position = ++last;
  };
  const visit = (group: string | null) => {
    for (const item of itemsIn(tree, group)) {
      number(item);
      if ("section_group" in item) for (const row of siteSpacesIn(tree, item.id)) number(row);
      else visit(item.id);
    }
  };
  visit(null);
  for (const row of siteSpacesIn(tree, null)) number(row);
}

/** Whether nothing of a structure is shown. */
export const isEmpty = ({ siteSpaces }: Tree): boolean => !siteSpaces.some(isShown);
