// What a page refers to, which is loaded before it is drawn.

import type { Operation } from "@octavo/html/openapi/schema";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { Drawing } from "../drawing/drawing.js";
import { type Facts, refsIn } from "../drawing/facts.js";
import type { ResponseContext } from "../site/context.js";
import { operationKey, type Referred, schemasKey, webhookKey } from "../site/links.js";
import type { OptionalParts } from "../site/optional-parts.js";
import { otherSpaces } from "../site/other-spaces.js";
import type { Place } from "../site/places.js";
import type { Space } from "../site/space.js";

/** Other spaces and included documents of one page that are looked up. */
const MOST_SPACES = 10;
const MOST_INCLUDED = 100;
const MAX_INCLUSION_DEPTH = 3;

/** Where a page is, and what draws it. */
export interface PageContext extends ResponseContext {
  drawing: Drawing;
}

/** Loads what a page refers to; parts whose service is unavailable are missing. */
export async function referredFrom(
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
