import type { Operation } from "@octavo/html/openapi/schema";
import type { OutlineEntry } from "@octavo/html/outline";
import type { Page } from "@octavo/html/page";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Drawing } from "../drawing/drawing.js";
import { type Facts, refsIn } from "../drawing/facts.js";
import { inputFor } from "../drawing/input.js";
import { askPage, type DocumentPage } from "../site/content-page.js";
import type { ResponseContext } from "../site/context.js";
import { encodedPath, linksOn, operationKey, type Referred, schemasKey, webhookKey } from "../site/links.js";
import type { OptionalParts } from "../site/optional-parts.js";
import { otherSpaces } from "../site/other-spaces.js";
import type { Place } from "../site/places.js";
import type { Entry, Space } from "../site/space.js";
import type { Thread } from "./prerender.js";

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

/** Other spaces and included documents of one page that are looked up. */
const MOST_SPACES = 10;
const MOST_INCLUDED = 100;
const MAX_INCLUSION_DEPTH = 3;

/** Where a page is, and what draws it. */
interface PageContext extends ResponseContext {
  drawing: Drawing;
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

async function referredFrom(
  { place, site, parts }: PageContext,
  facts: Pick<Facts, "refs" | "operations">,
  pageId: string,
): Promise<Referred<Space>> {
  const reusables = await includedIn(place, parts, facts.refs);
  const refs = [...facts.refs, ...[...reusables.values()].flatMap((one) => refsIn(one))];
  const operations = facts.operations ? await operationsOf(place, parts, pageId) : undefined;
  const named = new Set(refs.map(({ space }) => space));
  return { reusables, operations, spaces: await otherSpaces({ place, site, parts }, named, MOST_SPACES) };
}

/** What a page shows of APIs; without it its addresses and names are drawn. */
async function operationsOf(
  { visitor, space: spaceId, revision: revisionId }: Place,
  parts: OptionalParts,
  pageId: string,
): Promise<Map<string, Operation>> {
  const shown = await parts.load(
    visitor.patient.content.shownOperations.ofPage.query({ spaceId, revisionId, pageId }),
  );
  if (!shown) return new Map();
  const { items, webhooks = [], schemas = [] } = shown;
  return new Map([
    ...items.map((one): [string, Operation] => [operationKey(one, one.method, one.path), one]),
    ...webhooks.map((one): [string, Operation] => [
      webhookKey(one, one.method, one.name),
      { ...one, servers: [] },
    ]),
    ...schemas.map((one): [string, Operation] => [schemasKey(one), { ...one, servers: [], operation: {} }]),
  ]);
}

/** What is included by references, and what that includes. */
async function includedIn(
  { visitor, space: spaceId, revision: revisionId }: Place,
  parts: OptionalParts,
  refs: Ref[],
): Promise<Map<string, JSONDocument>> {
  const found = new Map<string, JSONDocument>();
  let open = refs;
  for (let level = 0; level < MAX_INCLUSION_DEPTH && open.length > 0; level += 1) {
    const ids = open.flatMap(({ kind, reusableContent: id }) =>
      kind === "reusable-content" && typeof id === "string" ? [id] : [],
    );
    const wanted = [...new Set(ids)].filter((id) => !found.has(id)).slice(0, MOST_INCLUDED - found.size);
    const loaded = await Promise.all(
      wanted.map((reusableContentId) =>
        parts.load(
          visitor.patient.content.revisionContent.reusableContentDocument.query({
            spaceId,
            revisionId,
            reusableContentId,
            evaluated: "true",
          }),
        ),
      ),
    );
    for (const [index, one] of loaded.entries()) if (one) found.set(wanted[index]!, one);
    open = loaded.flatMap((one) => (one ? refsIn(one) : []));
  }
  return found;
}

/** Returns for how many ms a page may be kept: undefined as long as the revision and the site are what they were. */
export function lastsOf(
  { operations }: Pick<LoadedPage, "operations">,
  parts: OptionalParts,
): number | undefined {
  if (parts.areMissing) return INCOMPLETE_LASTS;
  return operations ? OPERATIONS_LAST : undefined;
}
