import type { contentTest } from "../../testing/content.js";

type Test = Awaited<ReturnType<typeof contentTest>>;

/** A space whose primary content holds these pages, their source as markdown. */
export async function spaceWith(
  t: Test,
  documents: string[],
  values: Parameters<Test["space"]>[0] & { pages?: { noIndex?: boolean; hidden?: boolean } } = {},
): Promise<string> {
  const { pages = {}, ...space } = values;
  const spaceId = await t.space(space);
  const admin = t.as({ [space.organization ?? "acme"]: "admin" });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = documents.map((markdown) => ({
    operation: "insert_page" as const,
    document: { markdown },
    ...pages,
  }));
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  return spaceId;
}

export const titles = (list: { items: { title: string }[] }) => list.items.map(({ title }) => title);
