import type { OutlineEntry } from "@octavo/html/outline";
import type { Page } from "@octavo/html/page";
import { inputFor } from "../drawing/input.js";
import { askPage, type DocumentPage } from "../site/content-page.js";
import { encodedPath, linksOn } from "../site/links.js";
import type { OptionalParts } from "../site/optional-parts.js";
import type { Entry } from "../site/space.js";
import type { Thread } from "./prerender.js";
import { type PageContext, referredFrom } from "./referred.js";

/** A page as it is to be drawn. */
export interface LoadedPage {
  entry: Entry;
  shown: DocumentPage;
  /** Its document, as JSON. */
  json: string;
  /** What the document is drawn as. */
  html: string;
  /** Its headings, and its first words. */
  outline: OutlineEntry[];
  summary: string;
  /** Whether it names operations of APIs, shown or not. */
  operations: boolean;
  /** Whether it has updates, which are a feed. */
  updates: boolean;
  /** Where readers may send requests to. */
  servers: string[];
  links: Page;
  /** Where its text is edited, where git knows it and the site says so. */
  edit?: string;
}

/**
 * So long, in ms, operations of an API are current: a specification has versions of its own. They are shown for as long again
 * while they are drawn anew, so that a new version is seen within a minute.
 */
const OPERATIONS_LAST = 30_000;
/** So long, in ms, a page is shown without parts whose service was unavailable. */
const INCOMPLETE_LASTS = 5_000;

/** Milliseconds that colors and formulas of a page may take. */
const HIGHLIGHT_BUDGET_MS = 2_000;

/** Loads a page with all that it refers to, and draws its document; undefined when it is not there any more. */
export async function loadPage(
  context: PageContext,
  entry: Entry,
  thread: Thread = "main",
): Promise<LoadedPage | undefined> {
  const { place, site, space, drawing } = context;
  const repository = site.customization.git.showEditLink
    ? site.spaces.find((one) => one.space === place.space)?.repository
    : undefined;
  const asked = await askPage(place, entry, { metadata: repository !== undefined });
  if (!asked) return undefined;
  const { page: shown, document: json } = asked;
  const { facts, document } = await drawing.open(place.site, json);
  const referred = await referredFrom(context, facts, entry.id);
  const input = inputFor({ place, site, space, json, facts, referred }, HIGHLIGHT_BUDGET_MS);
  const html = await drawing.draw(place.site, input, thread === "main" ? document : undefined);
  const servers = [...(referred.operations?.values() ?? [])].flatMap(({ servers }) => servers);
  const links = linksOn(place, site, space, referred);
  const file = shown.git?.path;
  const edit = repository && file ? `${repository.replace(/\/+$/, "")}/${encodedPath(file)}` : undefined;
  const { outline, summary, operations, updates } = facts;
  return {
    entry,
    shown,
    json,
    html,
    outline,
    summary,
    operations,
    updates,
    servers,
    links,
    ...(edit && { edit }),
  };
}

/** Returns for how many ms a page may be kept: undefined as long as the revision and the site are what they were. */
export function lastsOf(
  { operations }: Pick<LoadedPage, "operations">,
  parts: OptionalParts,
): number | undefined {
  if (parts.areMissing) return INCOMPLETE_LASTS;
  return operations ? OPERATIONS_LAST : undefined;
}
