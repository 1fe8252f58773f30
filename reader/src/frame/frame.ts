import type { Page } from "@octavo/html/page";
import type { Html } from "@octavo/html/scope";
import type { Assets } from "../assets/assets.js";
import type { VariantLink } from "../pages/variants.js";
import type { Site } from "../site/site.js";

/** What stands around every page of a site, and what a page puts into it. */
export interface Frame {
  site: Site;
  assets: Assets;
  /** What the references of the customization lead to. */
  links: Page;
  /** The path of the site, with a slash at its end. */
  home: string;
  title: string;
  description?: string;
  canonical?: string;
  /** The path of the same page as markdown. */
  markdown?: string;
  /** Whether search engines may not list it. */
  noIndex: boolean;
  /** The path of the feed of its updates. */
  feed?: string;
  /** The same page in the variants of the site. */
  variants?: VariantLink[];
  /** Style sheets and scripts that what is on the page asks for. */
  files?: string[];
  /** The path of the search. */
  search?: string;
  /** What the page is, for machines. */
  data?: object;
  previous?: string;
  next?: string;
  sidebar?: Html;
  outline?: Html;
  wide?: boolean;
  /** Whether the page is shown once all of it is there: what comes later would move what is shown. */
  atOnce?: boolean;
  body: Html;
}
