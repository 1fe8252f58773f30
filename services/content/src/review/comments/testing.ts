import type { contentTest } from "../../testing/content.js";
import type { Change } from "../change-requests/schema.js";

type Test = Awaited<ReturnType<typeof contentTest>>;
type Caller = ReturnType<Test["as"]>;
type Operations = Caller["comments"];

/** Where comments are: on the primary content, or on a change request. */
export interface At {
  spaceId: string;
  changeRequestId: string;
}

export interface Mount {
  what: "a space" | "a change request";
  /** The operations of a caller on comments there. */
  of(caller: Caller): Operations;
  location(at: At): string;
}

export const mounts: [Mount, Mount] = [
  {
    what: "a space",
    of: ({ comments }) => comments,
    location: ({ spaceId }) => `http://octavo.test/v1/spaces/${spaceId}`,
  },
  {
    what: "a change request",
    of: ({ changeRequestComments }) => changeRequestComments as unknown as Operations,
    location: ({ spaceId, changeRequestId }) =>
      `http://octavo.test/v1/spaces/${spaceId}/change-requests/${changeRequestId}`,
  },
];

export const text = (markdown: string) => ({ markdown });

/** A space with a page in another, and a second change request on it that is open. */
export async function furnish(t: Test, { what }: Mount) {
  const admin = t.as({ acme: "admin" }, { id: "admin" });
  const spaceId = await t.space();
  const { id: first } = await admin.changeRequests.create({ spaceId });
  const document = { markdown: "Text\n" };
  const table = { markdown: "Some **words**\n\n| Name | Size |\n| --- | --- |\n| One | 1 |\n" };
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId: first,
    changes: [
      { operation: "insert_page", title: "Guide", ref: "guide", document },
      { operation: "insert_page", title: "Set up", emoji: "🧰", into: "guide", document: table },
    ],
  });
  await admin.changeRequests.merge({ spaceId, changeRequestId: first });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const { pages } = await admin.content.pages({ spaceId });
  const guide = pages[0] as { id: string; pages: { id: string }[] };
  const at = { spaceId, changeRequestId };

  /** Changes the content that is commented on. */
  async function edit(changes: Change[]) {
    if (what === "a change request") return void (await admin.changeRequests.edit({ ...at, changes }));
    const { id } = await admin.changeRequests.create({ spaceId });
    await admin.changeRequests.edit({ spaceId, changeRequestId: id, changes });
    await admin.changeRequests.merge({ spaceId, changeRequestId: id });
  }
  return {
    spaceId,
    at: what === "a space" ? ({ spaceId } as At) : at,
    changeRequestId,
    pageId: guide.pages[0]!.id,
    otherPageId: guide.id,
    target: what === "a space" ? {} : { changeRequest: changeRequestId },
    edit,
  };
}
