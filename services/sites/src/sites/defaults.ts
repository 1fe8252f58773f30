import { refuseAt } from "@octavo/shared/errors";
import { makeDefault } from "../tree/edit.js";
import { shownSections, type Tree, variantsOf } from "../tree/tree.js";

export interface Defaults {
  defaultSiteSection?: string;
  defaultSiteSpace?: string;
}

/**
 * Gives the root of a site to one of its sections, and to one of its site spaces: of the default section, where there
 * are sections. 400 for what is none of them.
 */
export function chooseDefaults(tree: Tree, { defaultSiteSection, defaultSiteSpace }: Defaults): void {
  const sections = shownSections(tree);
  if (defaultSiteSection !== undefined) {
    if (!sections.some(({ id }) => id === defaultSiteSection))
      refuseAt("body.defaultSiteSection", "is no section of this site");
    makeDefault(tree.sections, defaultSiteSection);
  }
  if (defaultSiteSpace === undefined) return;
  const section = sections.find(({ is_default }) => is_default);
  const variants = variantsOf(tree, section?.id ?? null);
  if (!variants.some(({ id }) => id === defaultSiteSpace))
    refuseAt("body.defaultSiteSpace", `is no site space of this ${section ? "default section" : "site"}`);
  makeDefault(variants, defaultSiteSpace);
}
