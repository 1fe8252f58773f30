import type { contentTest } from "../testing/content.js";

type ContentTest = Awaited<ReturnType<typeof contentTest>>;

export const base64 = (content: string | Buffer) => Buffer.from(content).toString("base64");

/** A change request, with what puts files in it. */
export async function draft(t: ContentTest) {
  const admin = t.as({ acme: "admin" });
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const at = { spaceId, changeRequestId };
  return {
    at,
    insert: (...files: ({ name: string; base64: string } | { name: string; url: string })[]) =>
      admin.changeRequests.edit({ ...at, changes: [{ operation: "insert_files", files }] }),
    files: async () => (await admin.changeRequestContent.files(at)).items,
  };
}
