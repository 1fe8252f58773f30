import { expect, test } from "vitest";
import {
  addGroup,
  addSection,
  addSiteSpace,
  depthOf,
  makeDefault,
  putGroup,
  putSection,
  removeGroup,
  removeSection,
  removeSiteSpace,
  wrapRoot,
} from "./edit.js";
import { normalize } from "./normalize.js";
import { move } from "./order.js";
import { formerPaths, pathKey, pathOf, pathOfSection, targetsIn } from "./paths.js";
import { isShown, itemsIn, sectionOf, shownSections, siteSpacesIn, type Tree, variantsOf } from "./tree.js";

const site = { id: "site_1", organization: "acme" };
let spaces = 0;
const space = (title = "Guide") => ({ id: `space_${++spaces}`, title });
const empty = (): Tree => ({ groups: [], sections: [], siteSpaces: [] });

/** A structure after a change, as it is stored. */
function changed(before: Tree, change: (tree: Tree) => void): Tree {
  const tree = structuredClone(before);
  change(tree);
  return normalize(tree, before);
}

/** The paths of all shown site spaces, in their order. */
const paths = (tree: Tree) =>
  tree.siteSpaces
    .filter(isShown)
    .toSorted((one, other) => one.position - other.position)
    .map((row) => pathKey(pathOf(sectionOf(tree, row), row)));

const flat = (...titles: string[]) =>
  changed(empty(), (tree) => {
    for (const title of titles) addSiteSpace(tree, site, space(title), null);
  });

/** A site of two sections with two variants each. */
const sectioned = () =>
  changed(flat("Guide", "Version 2"), (tree) => {
    wrapRoot(tree, site, "Docs");
    const section = addSection(tree, site, { title: "API" });
    for (const title of ["REST", "Events"]) addSiteSpace(tree, site, space(title), section.id);
  });

test("the default variant of the default section is the root, others lie at their section and their own path", () => {
  const tree = sectioned();
  expect(paths(tree)).toEqual(["", "docs/version-2", "api", "api/events"]);
  const [docs, api] = shownSections(tree);
  expect([pathOfSection(docs!), pathOfSection(api!)]).toEqual([[], ["api"]]);
  expect(paths(flat("Guide", "Version 2"))).toEqual(["", "version-2"]);
});

test("what stands at each path is a section where its default site space does, else a site space", () => {
  const tree = sectioned();
  const [docs, api] = shownSections(tree);
  const [second, events] = [variantsOf(tree, docs!.id)[1]!, variantsOf(tree, api!.id)[1]!];
  expect([...targetsIn(tree)]).toEqual([
    ["docs/version-2", { siteSpace: second.id }],
    ["api", { section: api!.id }],
    ["api/events", { siteSpace: events.id }],
  ]);
});

test("a first section, and the removal of the last one, leave the paths that they change behind", () => {
  const before = flat("Guide", "Version 2");
  const wrapped = changed(before, (tree) => wrapRoot(tree, site, "Docs"));
  const second = wrapped.siteSpaces[1]!.id;
  expect(paths(wrapped)).toEqual(["", "docs/version-2"]);
  expect([...formerPaths(before, wrapped)]).toEqual([["version-2", { siteSpace: second }]]);
  const unwrapped = changed(wrapped, (tree) => removeSection(tree, tree.sections[0]!));
  expect(paths(unwrapped)).toEqual(["", "version-2"]);
  expect(unwrapped.sections).toEqual([]);
  expect([...formerPaths(wrapped, unwrapped)]).toEqual([["docs/version-2", { siteSpace: second }]]);
});

test("another default section moves the root, and leaves what it moved from behind", () => {
  const before = sectioned();
  const api = before.sections[1]!.id;
  const after = changed(before, (tree) => makeDefault(tree.sections, api));
  expect(paths(after)).toEqual(["docs", "docs/version-2", "", "api/events"]);
  expect([...formerPaths(before, after)]).toEqual([["api", { section: api }]]);
});

test("the next sibling of a default that is gone takes its place, the first one after the last", () => {
  const [a, b, c] = ["A", "B", "C"];
  const tree = flat(a!, b!, c!);
  const defaultOf = (of: Tree) => of.siteSpaces.find(({ is_default }) => is_default)?.path;
  const middle = changed(tree, (draft) => makeDefault(draft.siteSpaces, draft.siteSpaces[1]!.id));
  expect(defaultOf(changed(middle, (draft) => removeSiteSpace(draft, draft.siteSpaces[1]!)))).toBe("c");
  const last = changed(tree, (draft) => makeDefault(draft.siteSpaces, draft.siteSpaces[2]!.id));
  expect(defaultOf(changed(last, (draft) => removeSiteSpace(draft, draft.siteSpaces[2]!)))).toBe("a");
  const hidden = changed(tree, (draft) => {
    draft.siteSpaces[0]!.trashed_at = "2026-01-01T00:00:00.000Z";
  });
  expect(defaultOf(hidden)).toBe("b");
});

test("a section whose spaces are all in the trash keeps its place and path, and is not the default", () => {
  const tree = changed(sectioned(), (draft) => {
    for (const row of siteSpacesIn(draft, draft.sections[0]!.id)) row.trashed_at = "2026-01-01T00:00:00.000Z";
  });
  expect(tree.sections.map(({ path, is_default }) => [path, is_default])).toEqual([
    ["docs", false],
    ["api", true],
  ]);
  expect(shownSections(tree).map(({ path }) => path)).toEqual(["api"]);
});

test("what lies in a group that is removed takes its place", () => {
  const before = changed(sectioned(), (tree) => {
    const group = addGroup(tree, site, { title: "Group", parent: null });
    const inner = addGroup(tree, site, { title: "Inner", parent: group.id });
    putSection(tree, tree.sections[0]!, group.id);
    addGroup(tree, site, { title: "Last", parent: null });
    putSection(tree, tree.sections[1]!, inner.id);
  });
  expect(depthOf(before, before.groups[0]!)).toBe(2);
  const after = changed(before, (tree) => removeGroup(tree, tree.groups[0]!));
  expect(itemsIn(after, null).map(({ title }) => title)).toEqual(["Inner", "Docs", "Last"]);
  expect(after.sections[1]!.section_group).toBe(after.groups[0]!.id);
});

test("site spaces that the release before added beside sections are variants of the default section", () => {
  const tree = sectioned();
  const stray = structuredClone(tree);
  addSiteSpace(stray, site, space("Stray"), null);
  expect(paths(normalize(stray))).toContain("docs/stray");
});

/** What holds of every structure that is stored. */
function expectWhole(tree: Tree) {
  const { groups, sections, siteSpaces } = tree;
  const all = [...groups, ...sections, ...siteSpaces];
  const positions = all.map(({ position }) => position).toSorted((one, other) => one - other);
  expect(positions).toEqual(positions.map((_, index) => index + 1));
  const groupIds = new Set<string | null>([null, ...groups.map(({ id }) => id)]);
  expect(groups.every(({ parent }) => groupIds.has(parent))).toBe(true);
  expect(sections.every(({ section_group }) => groupIds.has(section_group))).toBe(true);
  const lists = sections.length === 0 ? [null] : sections.map(({ id }) => id);
  expect(siteSpaces.every(({ section }) => lists.includes(section as never))).toBe(true);
  for (const list of lists) {
    const rows = siteSpacesIn(tree, list);
    if (list !== null) expect(rows.length).toBeGreaterThan(0);
    const defaults = rows.filter(({ is_default }) => is_default);
    expect(defaults).toHaveLength(rows.some(isShown) ? 1 : 0);
    expect(defaults.every(isShown)).toBe(true);
  }
  const shown = shownSections(tree);
  expect(sections.filter(({ is_default }) => is_default)).toHaveLength(shown.length > 0 ? 1 : 0);
  const published = paths(tree);
  expect(new Set(published).size).toBe(published.length);
}

/** Numbers that look random and are the same in every run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test("whatever is done to a structure in whatever order, it is whole, and every path led to one thing", () => {
  for (let seed = 1; seed <= 25; seed++) {
    const next = numbers(seed);
    const pick = <Item>(items: Item[]): Item | undefined => items[next(items.length)];
    const edits: ((tree: Tree) => void)[] = [
      (tree) => addSiteSpace(tree, site, space(["A", "B"][next(2)]), pick(tree.sections)?.id ?? null),
      (tree) => {
        if (tree.sections.length === 0) wrapRoot(tree, site, "Docs");
        addSiteSpace(tree, site, space(), addSection(tree, site, { title: "API" }).id);
      },
      (tree) => addGroup(tree, site, { title: "Group", parent: pick([null, ...tree.groups])?.id ?? null }),
      (tree) => {
        const section = pick(tree.sections);
        if (section) putSection(tree, section, pick([null, ...tree.groups])?.id ?? null);
      },
      (tree) => {
        const [group, parent] = [pick(tree.groups), pick(tree.groups)];
        if (group && parent && depthOf(tree, group) === 1 && parent !== group)
          putGroup(tree, group, parent.id);
      },
      (tree) => {
        const group = pick(tree.groups);
        if (group) removeGroup(tree, group);
      },
      (tree) => {
        const section = pick(tree.sections);
        if (section) removeSection(tree, section);
      },
      (tree) => {
        const row = pick(tree.siteSpaces);
        if (row) removeSiteSpace(tree, row);
      },
      (tree) => {
        const row = pick(tree.siteSpaces);
        if (row) row.trashed_at = row.trashed_at === null ? "2026-01-01T00:00:00.000Z" : null;
      },
      (tree) => {
        const item = pick([...tree.siteSpaces, ...tree.sections, ...tree.groups]);
        if (item) move(tree, item);
      },
      (tree) => {
        const section = pick(shownSections(tree));
        if (section) makeDefault(tree.sections, section.id);
      },
    ];
    let tree = empty();
    for (let step = 0; step < 40; step++) {
      const before = tree;
      tree = changed(before, pick(edits)!);
      expectWhole(tree);
      for (const [path, target] of formerPaths(before, tree)) {
        expect(targetsIn(tree).get(path)).not.toEqual(target);
      }
    }
  }
});
