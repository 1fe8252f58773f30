import type { Place } from "./places.js";
import type { Entry } from "./space.js";
import type { Visitor } from "./upstreams.js";

type ContentPage = Awaited<ReturnType<Visitor["content"]["shownPages"]["page"]["query"]>>["page"];
export type DocumentPage = Extract<ContentPage, { type: "document" }>;

/** A page to be drawn, with the JSON of its document, as the visitor sees it; undefined when it holds none. `metadata` includes where it is in git. */
export async function askPage(
  { visitor, space: spaceId, revision: revisionId }: Place,
  { id: pageId }: Entry,
  { metadata }: { metadata: boolean },
): Promise<{ page: DocumentPage; document: string } | undefined> {
  const asked = await visitor.patient.content.shownPages.page.query({
    spaceId,
    revisionId,
    pageId,
    metadata,
  });
  const { page, document } = asked;
  return page.type === "document" ? { page, document } : undefined;
}
