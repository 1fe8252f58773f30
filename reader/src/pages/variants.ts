import { refsIn } from "../drawing/facts.js";
import type { ResponseContext } from "../site/context.js";
import { pathOf } from "../site/find.js";
import { encodedPath, linksOn, NOTHING_REFERRED } from "../site/links.js";
import { otherSpace, otherSpaces } from "../site/other-spaces.js";
import type { Site, SiteSpaceLink } from "../site/site.js";
import type { Entry } from "../site/space.js";

// What a page shows of the other spaces of its site.

/** Variants, and spaces that the customization of a site names, that are looked up. */
const MAX_SPACES = 20;

/** A page of another version or language: the same one, or where that begins. */
export interface VariantLink {
  title: string;
  href: string;
  current: boolean;
  /** Its address for everybody, and its language, where it is the same page. */
  same?: { canonical: string; language: string };
}

/** The variants of what is shown: each leads to the same page where it has one, else to its first. */
export function variantsOf(
  { place, site, space, parts }: ResponseContext,
  entry: Entry,
): Promise<VariantLink[]> {
  return Promise.all(
    shownOf(site).map(async (one) => {
      const tree = one.current ? space : await parts.load(otherSpace(place, one));
      const isHome = entry === space.order[0];
      const at = isHome ? tree?.order[0] : tree?.byPath.get((entry.path ?? "").toLowerCase());
      const path = at && at.type === "document" ? encodedPath(pathOf(tree!, at)) : undefined;
      const { title, current, href, canonical, language } = one;
      const same =
        path !== undefined && language !== undefined ? { canonical: canonical + path, language } : undefined;
      return { title, current, href: href + (path ?? ""), ...(same && { same }) };
    }),
  );
}

/** As many variants as are looked up, the one that is shown always among them; none where there is but one. */
function shownOf({ variants }: Site): SiteSpaceLink[] {
  if (variants.length < 2) return [];
  const others = variants.filter(({ current }) => !current).slice(0, MAX_SPACES - 1);
  return variants.filter((one) => one.current || others.includes(one));
}

/** What the links of the header, the footer, the announcement and the sidebar lead to. */
export async function customizationLinksOf({ place, site, space, parts }: ResponseContext) {
  const { header, footer, announcement } = site.customization;
  const named = new Set(
    [...refsIn([header.links, footer.groups, announcement?.link]), ...space.targets].map((ref) => ref.space),
  );
  const spaces = await otherSpaces({ place, site, parts }, named, MAX_SPACES);
  return linksOn(place, site, space, { ...NOTHING_REFERRED, spaces });
}
