import type { contentTest } from "../../testing/content.js";

type Test = Awaited<ReturnType<typeof contentTest>>;
type Caller = ReturnType<Test["as"]>;
type Changes = Parameters<Caller["changeRequests"]["edit"]>[0]["changes"];

/** Builders of spaces whose pages refer to each other, and a short way to write down what links lead to. */
export function writing(t: Test, caller: Caller) {
  /** Makes changes in a change request, which is merged by default. */
  async function open(spaceId: string, changes: Changes, { merge = true } = {}): Promise<string> {
    const { id: changeRequestId } = await caller.changeRequests.create({ spaceId });
    if (changes.length > 0) await caller.changeRequests.edit({ spaceId, changeRequestId, changes });
    if (merge) await caller.changeRequests.merge({ spaceId, changeRequestId });
    return changeRequestId;
  }

  /** A space with pages, by their titles, and files, by their names; pages come later than what they may refer to. */
  async function spaceWith(texts: Record<string, string>, names: string[] = []) {
    const spaceId = await t.space();
    const base64 = Buffer.from("content").toString("base64");
    const files = names.map((name) => ({ name, base64 }));
    await open(spaceId, [
      ...Object.entries(texts).map(([title, markdown]) => ({
        operation: "insert_page" as const,
        title,
        document: { markdown },
      })),
      ...(files.length > 0 ? [{ operation: "insert_files" as const, files }] : []),
    ]);
    const { pages } = await caller.content.pages({ spaceId });
    const { items } = await caller.content.files({ spaceId });
    return {
      spaceId,
      pages: Object.fromEntries(pages.map(({ title, id }) => [title, id])),
      files: Object.fromEntries(items.map(({ name, id }) => [name, id])),
    };
  }
  return { open, spaceWith, found };
}

type Links = Awaited<ReturnType<Caller["links"]["list"]>>;
type Location = NonNullable<Links["items"][number]["targetReference"]>;

/** Links as `source -> status target`, by source: pages that were made at once have ids in any order. */
export const found = ({ items }: Pick<Links, "items">): string[] =>
  items
    .map(
      ({ status, targetReference, locationReferences }) =>
        [nameOf(locationReferences[0]), `${status} ${labelOf(targetReference)}`] as const,
    )
    .sort(([one], [other]) => one.localeCompare(other))
    .map((parts) => parts.join(" -> "));

const nameOf = (location: Location | undefined) =>
  location ? labelOf(location).replace(/^\S+ /, "") : "nothing";

function labelOf(location: Location | undefined): string {
  if (!location) return "nothing";
  if (location.kind === "url") return location.url;
  if (location.kind === "file") return `file ${location.file.name}`;
  if (location.kind === "reusable-content") return `reusable ${location.reusableContent.title}`;
  if (location.kind !== "page") return location.kind;
  const anchor = location.internalLocation ? `#${location.internalLocation.anchor}` : "";
  return `page ${location.page.title}${anchor}`;
}
