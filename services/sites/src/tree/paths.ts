import { isShown, type Section, type SiteSpace, sectionOf, type Tree } from "./tree.js";

// Where sections and site spaces are published, as segments below the root of their site. The default site space of the
// default section is the root itself; the default one of another section lies at the path of the section; every other
// one at the path of its section and its own. Without sections the default one is the root.

type Addressed = Pick<Section | SiteSpace, "path" | "is_default">;

/** The segments of a section: those of its default site space. */
export const pathOfSection = ({ path, is_default }: Addressed): string[] => (is_default ? [] : [path]);

/** The segments of a site space, within the section that it is a variant of, if it is of any. */
export function pathOf(section: Addressed | undefined, { path, is_default }: Addressed): string[] {
  if (!section) return is_default ? [] : [path];
  return is_default ? pathOfSection(section) : [section.path, path];
}

/** Paths are matched without regard to case. */
export const pathKey = (segments: string[]): string => segments.join("/").toLowerCase();

/** What stands at a path: a section with its default site space, or a site space. */
export type Target = { section: string } | { siteSpace: string };

/** What stands at each path of a site below its root, by the key of the path. */
export function targetsIn(tree: Tree): Map<string, Target> {
  const sections = new Map(tree.sections.map((section) => [section.id, section]));
  const targets = new Map<string, Target>();
  for (const row of tree.siteSpaces.filter(isShown)) {
    const section = row.section === null ? undefined : sections.get(row.section);
    const path = pathOf(section, row);
    if (path.length === 0) continue;
    const isSection = section !== undefined && row.is_default;
    targets.set(pathKey(path), isSection ? { section: section.id } : { siteSpace: row.id });
  }
  return targets;
}

/** The paths that a change took from sections and site spaces that are still shown elsewhere. */
export function formerPaths(before: Tree, after: Tree): Map<string, Target> {
  const now = new Map<string, string>();
  for (const row of after.siteSpaces.filter(isShown)) {
    const section = sectionOf(after, row);
    now.set(row.id, pathKey(pathOf(section, row)));
    if (section && row.is_default) now.set(section.id, pathKey(pathOfSection(section)));
  }
  return new Map(
    [...targetsIn(before)].filter(([path, target]) => {
      const current = now.get("section" in target ? target.section : target.siteSpace);
      return current !== undefined && current !== path;
    }),
  );
}
