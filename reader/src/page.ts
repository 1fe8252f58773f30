import type { Operation } from "@octavo/html/openapi/schema";
import type { OutlineEntry } from "@octavo/html/outline";
import type { Page } from "@octavo/html/page";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Thread } from "./ahead.js";
import { askPage, type DocumentPage } from "./asked.js";
import type { Drawing } from "./drawing/drawing.js";
import { type Facts, refsIn } from "./drawing/facts.js";
import { givenFor } from "./drawing/given.js";
import { encodedPath, linksOn, operationKey, type Referred } from "./links.js";
import type { Place } from "./places.js";
import { createMemory } from "./remembered.js";
import type { Site, SiteSpaceLink } from "./site.js";
import { audienceOf, type Entry, type Space, sizeOfSpace, spaceFrom } from "./space.js";

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
  /** Where readers may send requests to. */
  servers: string[];
  links: Page;
  /** Where its text is edited, where git knows it and the site says so. */
  edit?: string;
}

/** Other spaces and included documents of one page that are looked up. */
const MOST_SPACES = 10;
const MOST_INCLUDED = 100;
const DEEPEST = 3;

const others = createMemory<Space>({
  max: 100,
  size: { of: sizeOfSpace, most: 4 * 1024 * 1024 },
  fresh: 5_000,
  stale: 10 * 60_000,
});

interface Of {
  place: Place;
  site: Site;
  space: Space;
  drawing: Drawing;
}

/** Milliseconds that colors and formulas of a page may take. */
const TIME = 2_000;

/** Loads a page with all that it refers to, and draws its document; undefined when it is not there any more. */
export async function loadPage(
  { place, site, space, drawing }: Of,
  entry: Entry,
  thread: Thread = "main",
): Promise<LoadedPage | undefined> {
  const repository = site.look.git.showEditLink
    ? site.spaces.find((one) => one.space === place.space)?.repository
    : undefined;
  const asked = await askPage(place, entry, repository !== undefined);
  if (!asked) return undefined;
  const { page: shown, document: json } = asked;
  const { facts, document } = await drawing.open(place.site, json);
  const referred = await referredFrom(place, site, facts, entry.id);
  const given = givenFor({ place, site, space, json, facts, referred }, TIME);
  const html = await drawing.draw(place.site, given, thread === "main" ? document : undefined);
  const servers = [...(referred.operations?.values() ?? [])].flatMap(({ servers }) => servers);
  const links = linksOn(place, site, space, referred);
  const file = shown.git?.path;
  const edit = repository && file ? `${repository.replace(/\/+$/, "")}/${encodedPath(file)}` : undefined;
  const { outline, summary } = facts;
  return { entry, shown, json, html, outline, summary, servers, links, ...(edit && { edit }) };
}

async function referredFrom(
  place: Place,
  site: Site,
  facts: Pick<Facts, "refs" | "operations">,
  pageId: string,
): Promise<Referred<Space>> {
  const reusables = await includedIn(place, facts.refs);
  const refs = [...facts.refs, ...[...reusables.values()].flatMap((one) => refsIn(one))];
  const operations = facts.operations ? await operationsOf(place, pageId) : undefined;
  const named = new Set(refs.map(({ space }) => space));
  const shown = site.spaces
    .filter(({ space }) => space !== place.space && named.has(space))
    .slice(0, MOST_SPACES);
  const trees = await Promise.all(
    shown.map(async (one) => [one.space, await otherSpace(place, one).catch(() => undefined)] as const),
  );
  return {
    reusables,
    operations,
    spaces: new Map(trees.flatMap(([id, tree]) => (tree ? [[id, tree] as const] : []))),
  };
}

/** The operations that a page shows; without them where nobody can say, as their addresses are drawn anyway. */
async function operationsOf(place: Place, pageId: string): Promise<Map<string, Operation>> {
  const { visitor, space: spaceId, revision: revisionId } = place;
  const asked = visitor.content.shownOperations.ofPage.query({ spaceId, revisionId, pageId });
  const { items } = await asked.catch(() => ({ items: [] }));
  return new Map(items.map((one) => [operationKey(one, one.method, one.path), one]));
}

/** What is included by references, and what that includes. */
async function includedIn(place: Place, refs: Ref[]): Promise<Map<string, JSONDocument>> {
  const { visitor, space: spaceId, revision: revisionId } = place;
  const found = new Map<string, JSONDocument>();
  let open = refs;
  for (let level = 0; level < DEEPEST && open.length > 0; level += 1) {
    const ids = open.flatMap(({ kind, reusableContent: id }) =>
      kind === "reusable-content" && typeof id === "string" ? [id] : [],
    );
    const wanted = [...new Set(ids)].filter((id) => !found.has(id)).slice(0, MOST_INCLUDED - found.size);
    const loaded = await Promise.all(
      wanted.map((reusableContentId) =>
        visitor.content.revisionContent.reusableContentDocument
          .query({ spaceId, revisionId, reusableContentId, evaluated: "true" })
          .catch(() => undefined),
      ),
    );
    for (const [index, one] of loaded.entries()) if (one) found.set(wanted[index]!, one);
    open = loaded.flatMap((one) => (one ? refsIn(one) : []));
  }
  return found;
}

/** Another space of the site, with what it shows now. */
export function otherSpace(place: Place, { space: spaceId, revision }: SiteSpaceLink): Promise<Space> {
  const key = `${spaceId}/${revision}/${audienceOf(place)}`;
  return others(key, async () => {
    const { pages } = await place.visitor.content.content.pages.query({ spaceId });
    return spaceFrom(key, { pages, files: [] });
  });
}
