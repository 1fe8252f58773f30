import { expect } from "vitest";
import type { contentTest } from "../../testing/content.js";

type Test = Awaited<ReturnType<typeof contentTest>>;
export type Change = Parameters<ReturnType<Test["as"]>["changeRequests"]["edit"]>[0]["changes"][number];
export type Text = [title: string, ...blocks: string[]];

export const textOf = ([title, ...blocks]: Text) => `# ${title}\n\n${blocks.join("\n\n")}\n`;
export const document = (...text: Text) => ({ markdown: textOf(text) });
/** The text that the page Alpha has at first. */
const BASE: Text = ["Alpha", "One.", "Two.", "Three."];

interface Request {
  spaceId: string;
  changeRequestId: string;
}

/** What tests of conflicts do with a space and its change requests, as an administrator. */
export function conflictSteps(t: Test) {
  const admin = t.as({ acme: "admin" });

  const edit = (one: Request, ...changes: Change[]) => admin.changeRequests.edit({ ...one, changes });

  async function open(spaceId: string, ...changes: Change[]): Promise<Request> {
    const { id } = await admin.changeRequests.create({ spaceId });
    const one = { spaceId, changeRequestId: id };
    await edit(one, ...changes);
    return one;
  }

  /** Changes the primary content. */
  async function change(spaceId: string, ...changes: Change[]) {
    expect((await admin.changeRequests.merge(await open(spaceId, ...changes))).result).toBe("merge");
  }

  /** A space with the page Alpha, and Beta beside it. */
  async function spaceOfPages() {
    const spaceId = await t.space();
    await change(
      spaceId,
      { operation: "insert_page", document: document(...BASE) },
      { operation: "insert_page", document: document("Beta", "Text.") },
    );
    const { pages } = await admin.content.pages({ spaceId });
    return { spaceId, alpha: pages[0]!.id, beta: pages[1]!.id };
  }

  /** The primary content and a change request that made these texts of Alpha, found in conflict. */
  async function conflict(primary: Text, own: Text) {
    const { spaceId, alpha, beta } = await spaceOfPages();
    const one = await open(spaceId, { operation: "update_page", page: alpha, document: document(...own) });
    await change(spaceId, { operation: "update_page", page: alpha, document: document(...primary) });
    expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
    return { spaceId, alpha, beta, one };
  }

  const conflictsOf = async (one: Request) => (await admin.changes.ofChangeRequest(one)).conflicts ?? [];
  const primaryText = async (spaceId: string, pageId: string) =>
    ((await admin.content.page({ spaceId, pageId })) as { markdown: string }).markdown;
  const titles = async (spaceId: string) =>
    (await admin.content.pages({ spaceId })).pages.map(({ title }) => title);

  /** Updates, then merges; both have to succeed, and the update leaves nothing in conflict. */
  async function land(one: Request) {
    expect((await admin.changeRequests.pull(one)).result).toBe("update");
    expect(await conflictsOf(one)).toEqual([]);
    expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  }

  return { admin, edit, open, change, spaceOfPages, conflict, conflictsOf, primaryText, titles, land };
}
