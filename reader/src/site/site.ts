import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createUpstreamCache } from "../cache/upstream-cache.js";
import { type Chrome, type Language, spoken, wordsIn } from "../words/index.js";
import type { Place } from "./places.js";
import type { Visitor } from "./upstreams.js";

type Published = Awaited<ReturnType<Visitor["sites"]["publishing"]["getPublished"]["query"]>>;
export type Customization = Published["customizations"]["site"];

/** A space that the site shows: a section, or a variant of one. */
export interface SiteSpaceLink {
  id: string;
  /** The section that it is in, of a site that has sections. */
  section?: string;
  space: string;
  /** What the space shows at present. */
  revision: string;
  title: string;
  href: string;
  /** Its address for everybody. */
  canonical: string;
  /** The address below which its files are in git, where it is kept in step with it. */
  repository?: string;
  /** The language that its pages are written in, where the space says so. */
  language?: string;
  current: boolean;
}

export interface SectionLink {
  title: string;
  href: string;
  icon?: string;
  current: boolean;
}

/** Sections under a title, which leads nowhere itself. */
export interface SectionGroup {
  title: string;
  icon?: string;
  current: boolean;
  sections: SectionLink[];
}

/** What is the same on all pages that one visitor sees of one space of a site. */
export interface Site {
  /** The same for as long as nothing of this changes. */
  version: string;
  /** When it is asked for again. */
  freshUntil: number;
  title: string;
  visibility: string;
  customization: Customization;
  /** Whether links to other sites open in a tab of their own. */
  newTab: boolean;
  /** What the pages that are shown are written in. */
  language: string;
  /** The words around them: in that language where they are known in it, else in that of the site. */
  words: Chrome;
  /** The language of these words. */
  spoken: Language;
  sections: (SectionLink | SectionGroup)[];
  /** The variants beside the space that is shown. */
  variants: SiteSpaceLink[];
  /** All spaces of the site. */
  spaces: SiteSpaceLink[];
}

/** Bytes of profiles that are kept: each visitor of a site that is not for everybody has one of their own. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of what a profile is in memory for each character of its JSON, about. */
const BYTES = 3;
const cache = createUpstreamCache<Published>({
  max: 2_000,
  size: { of: (published) => BYTES * fingerprintOf(published).length, most: MAX_BYTES },
  fresh: 1_500,
  stale: 10 * 60_000,
});

/** What a structure holds, as far as it is shown here: sections, groups of them, and site spaces. */
interface Item {
  object: string;
  id: string;
  title: string;
  icon?: string;
  urls?: { published?: string };
  space?: { id: string; revision: string; language?: string; gitSync?: { url?: string } };
  siteSpaces?: readonly Item[];
  sections?: readonly Item[];
  children?: readonly Item[];
}

/** What was made of a profile, by the addresses at which it is shown. It is gone with the profile. */
const made = new WeakMap<Published, LRUCache<string, Site>>();
const MOST_MADE = 50;

/** The published site, as the visitor of a place sees it; the same object for as long as nothing of it changes. */
export async function siteOf(place: Place): Promise<Site> {
  const { visitor, organization, site, siteSpace, siteBase, siteCanonical } = place;
  const published = await cache.get(visitor.caller.token, () =>
    visitor.sites.publishing.getPublished.query({ organizationId: organization, siteId: site }),
  );
  const sites = made.get(published) ?? new LRUCache({ max: MOST_MADE });
  made.set(published, sites);
  const key = JSON.stringify([siteSpace, siteBase, siteCanonical]);
  const known = sites.get(key);
  if (known) return known;
  const shown = siteFrom(published, place);
  sites.set(key, shown);
  return shown;
}

function siteFrom(published: Published, place: Place): Site {
  const { siteSpace, siteCanonical } = place;
  const items = published.structure.structure as readonly Item[];
  const sections = items.flatMap(sectionsIn);
  const inSection = sections.find(({ siteSpaces = [] }) => siteSpaces.some(({ id }) => id === siteSpace));
  const variants = inSection?.siteSpaces ?? items.filter(({ object }) => object === "site-space");
  const { customizations } = published;
  // A preview of a site that is not published has the addresses that the site will have.
  const address: Address = { root: published.site.urls.published ?? siteCanonical, place };
  const customization = customizations.siteSpaces[siteSpace] ?? customizations.site;
  const { locale } = customization.internationalization;
  const written = variants.find(({ id }) => id === siteSpace)?.space?.language;
  const language = spoken(written) ?? spoken(locale) ?? "en";
  return {
    version: fingerprintOf(published).version,
    freshUntil: cache.freshUntil(published),
    title: customization.title ?? published.site.title,
    visibility: published.site.visibility,
    customization,
    newTab: customization.externalLinks.target === "blank",
    language: written ?? locale,
    words: wordsIn(language),
    spoken: language,
    sections: items.flatMap((item) => sectionLinks(item, address, inSection)),
    variants: linksOf(variants, address, inSection?.id),
    spaces: [
      ...sections.flatMap(({ id, siteSpaces = [] }) => linksOf(siteSpaces, address, id)),
      ...linksOf(items, address),
    ],
  };
}

interface Fingerprint {
  version: string;
  length: number;
}
const fingerprints = new WeakMap<Published, Fingerprint>();

/** What tells a profile from others, and the characters of its JSON. */
function fingerprintOf(published: Published): Fingerprint {
  const known = fingerprints.get(published);
  if (known) return known;
  const json = JSON.stringify(published);
  const version = createHash("sha256").update(json).digest("base64url").slice(0, 22);
  const found = { version, length: json.length };
  fingerprints.set(published, found);
  return found;
}

/** The sections of an item, those of its groups among them. */
function sectionsIn(item: Item): Item[] {
  if (item.object === "site-section") return [item];
  return (item.children ?? item.sections ?? []).flatMap(sectionsIn);
}

/** An item as the header shows it: a section, or a group of those in it and in its groups. */
function sectionLinks(
  item: Item,
  address: Address,
  inSection: Item | undefined,
): (SectionLink | SectionGroup)[] {
  const { title, icon } = item;
  const at = addressOf(item, address);
  if (item.object === "site-section")
    return at ? [{ title, href: at.href, icon, current: item === inSection }] : [];
  const sections = sectionsIn(item).flatMap((one) => sectionLinks(one, address, inSection)) as SectionLink[];
  return sections.length > 0
    ? [{ title, icon, current: sections.some(({ current }) => current), sections }]
    : [];
}

/** What addresses of a site are made of. */
interface Address {
  /** The root of the site as its published addresses have it. */
  root: string;
  place: Place;
}

function linksOf(items: readonly Item[], address: Address, section?: string): SiteSpaceLink[] {
  return items.flatMap((item) => {
    const at = addressOf(item, address);
    const current = item.id === address.place.siteSpace;
    return item.space && at
      ? [{ id: item.id, section, ...of(item.space), title: item.title, ...at, current }]
      : [];
  });
}

const of = ({ id, revision, language, gitSync }: NonNullable<Item["space"]>) => ({
  space: id,
  revision,
  language,
  repository: gitSync?.url,
});

/** Where something is published: below the root by which the visitor came to the site, and for everybody. */
function addressOf({ urls }: Item, { root, place }: Address) {
  const published = urls?.published;
  if (published === undefined || !published.startsWith(root)) return undefined;
  const path = published.slice(root.length);
  return { href: place.siteBase + path, canonical: place.siteCanonical + path };
}
