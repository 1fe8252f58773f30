import { type Claims, isVisible } from "../claims/claims.js";
import { type Group, isShown, type Section, type Tree } from "../tree/tree.js";

/**
 * The part of a site's structure that a visitor with these claims is shown: sections and site spaces whose conditions
 * are met, sections in which something is left, and groups with such a section in them or below them. What is the
 * default stays so, and may not be there.
 */
export function visibleStructure(tree: Tree, claims: Claims = {}): Tree {
  const open = tree.sections.filter(({ condition }) => isVisible(condition, claims));
  const places = new Set<string | null>([null, ...open.map(({ id }) => id)]);
  const siteSpaces = tree.siteSpaces.filter(
    (row) => isShown(row) && places.has(row.section) && isVisible(row.condition, claims),
  );
  const filled = new Set(siteSpaces.map(({ section }) => section));
  const sections = open.filter(({ id }) => filled.has(id));
  return { groups: groupsAround(tree.groups, sections), sections, siteSpaces };
}

/** The groups that the sections lie in, and those around these. */
function groupsAround(groups: Group[], sections: Section[]): Group[] {
  const parents = new Map(groups.map(({ id, parent }) => [id, parent]));
  const kept = new Set<string>();
  for (const { section_group } of sections)
    for (let id: string | null | undefined = section_group; id && !kept.has(id); id = parents.get(id))
      kept.add(id);
  return groups.filter(({ id }) => kept.has(id));
}
