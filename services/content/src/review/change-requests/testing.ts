import type { contentTest } from "../../testing/content.js";

type ContentTest = Awaited<ReturnType<typeof contentTest>>;
type Caller = ReturnType<ContentTest["as"]>;
export type Change = Parameters<Caller["changeRequests"]["edit"]>[0]["changes"][number];

/** A change request, as its operations name it. */
export interface Request {
  spaceId: string;
  changeRequestId: string;
}

export const markdown = (title: string, ...blocks: string[]) => ({
  markdown: `# ${title}\n\n${blocks.join("\n\n")}\n`,
});

/** What an administrator does with change requests. */
export function changeRequestsOf(t: ContentTest) {
  const admin = t.as({ acme: "admin" });
  const edit = (one: Request, ...changes: Change[]) => admin.changeRequests.edit({ ...one, changes });

  /** A change request with these changes. */
  async function open(spaceId: string, ...changes: Change[]): Promise<Request> {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const one = { spaceId, changeRequestId };
    if (changes.length > 0) await edit(one, ...changes);
    return one;
  }

  /** A space whose primary content holds pages with these titles. */
  async function spaceWith(...titles: string[]) {
    const spaceId = await t.space();
    const changes = titles.map((title) => ({
      operation: "insert_page" as const,
      document: markdown(title, "One.", "Two.", "Three."),
    }));
    await admin.changeRequests.merge(await open(spaceId, ...changes));
    const { pages } = await admin.content.pages({ spaceId });
    return { spaceId, pages };
  }

  return { admin, edit, open, spaceWith };
}
