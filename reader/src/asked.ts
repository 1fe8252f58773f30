import type { Place } from "./places.js";
import type { Entry } from "./space.js";
import type { Visitor } from "./upstreams.js";

type Shown = Awaited<ReturnType<Visitor["content"]["revisionContent"]["page"]["query"]>>;
export type DocumentPage = Extract<Shown, { type: "document" }>;

/** A page with its text in a format, as the visitor sees it; undefined when it holds none. `metadata` includes where it is in git. */
export async function askPage(
  { visitor, space: spaceId, revision: revisionId }: Place,
  { id: pageId }: Entry,
  format: "document" | "markdown",
  metadata = false,
): Promise<DocumentPage | undefined> {
  const flags = { format, evaluated: "true", metadata } as const;
  const page = await visitor.content.revisionContent.page.query({ spaceId, revisionId, pageId, ...flags });
  return page.type === "document" ? page : undefined;
}
