import { senderTo } from "@octavo/shared/testing/service";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { router } from "../router.js";
import { contentTest } from "../testing/content.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.user({ acme: "admin" }, { id: "ada" });
const admin = t.call(ada);
const member = t.user({ acme: "read" }, { id: "reader" });
const stranger = t.user({ beta: "admin" }, { id: "eve" });
let address: string;
beforeAll(async () => {
  address = await t.serve(router);
});

/** What a caller reads over REST, as every client does. */
const read = async (caller: typeof ada, path: string) => {
  const { status, body } = await senderTo(address, () => t.sign(caller))("GET", `/v1/spaces/${path}`);
  return { status, body: body as unknown as { title?: string; markdown?: string; nodes?: unknown[] } };
};

/** A space with one page, and what is needed to change it. */
async function spaceWithPage() {
  const spaceId = await t.space();
  const change = async (changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"]) => {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
    await admin.changeRequests.merge({ spaceId, changeRequestId });
  };
  await change([{ operation: "insert_page", title: "Guide", document: { markdown: "Old.\n" } }]);
  const { pages } = await admin.content.pages({ spaceId });
  const { revision: revisionId } = await admin.spaces.get({ spaceId });
  return { spaceId, pageId: pages[0]!.id, revisionId, change };
}

test("a page or document that is read again at the same revision is not fetched again", async () => {
  const { spaceId, pageId, revisionId } = await spaceWithPage();
  const paths = ["content", `revisions/${revisionId}`].flatMap((at) => [
    `${spaceId}/${at}/page/${pageId}`,
    `${spaceId}/${at}/page/${pageId}?format=document`,
    `${spaceId}/${at}/page/${pageId}/document`,
    `${spaceId}/${at}/path/guide`,
  ]);
  const first = await Promise.all(paths.map((path) => read(ada, path)));
  await t.db.deleteFrom("entry").where("branch", "=", spaceId).execute();
  for (const caller of [ada, member])
    expect(await Promise.all(paths.map((path) => read(caller, path)))).toEqual(first);
  for (const { status } of first) expect(status).toBe(200);
});

test("what a caller asks for many times at once is made once, and what is asked for after a merge is made of that", async () => {
  const { spaceId, pageId, change } = await spaceWithPage();
  const edit = (markdown: string) =>
    change([{ operation: "update_page", page: pageId, document: { markdown } }]);
  await edit(`Long.\n\n${"words ".repeat(20_000)}`);
  const run = vi.spyOn(t.base.work, "run");
  const made = () => run.mock.calls.filter(([task]) => task === "readDocument").length;
  const path = `${spaceId}/content/page/${pageId}/document`;
  const all = await Promise.all(Array.from({ length: 6 }, () => read(ada, path)));
  expect(made()).toBe(1);
  for (const { status, body } of all) expect([status, body]).toEqual([200, all[0]!.body]);
  expect(JSON.stringify(all[0]!.body)).toContain("Long.");
  await edit(`Longer.\n\n${"words ".repeat(20_000)}`);
  // While the former text is read for one request, another asks after the merge.
  run.mockClear();
  const [merged, refused] = await Promise.all([
    (async () => {
      const first = read(ada, path);
      await edit("Short.\n");
      const next = await read(ada, path);
      await first;
      return next;
    })(),
    read(stranger, path),
  ]);
  expect(JSON.stringify(merged.body)).toContain("Short.");
  expect(refused.status).toBe(404);
  run.mockRestore();
});

test("a merge shows at once, by id, by path and as document, and the earlier revision stays as it was", async () => {
  const { spaceId, pageId, revisionId, change } = await spaceWithPage();
  const paths = [
    `${spaceId}/content/page/${pageId}`,
    `${spaceId}/content/path/guide`,
    `${spaceId}/content/page/${pageId}/document`,
    `${spaceId}/revisions/${revisionId}/page/${pageId}`,
  ];
  const texts = async () =>
    (await Promise.all(paths.map((path) => read(ada, path)))).map(({ body }) => JSON.stringify(body));
  for (const text of [...(await texts()), ...(await texts())]) expect(text).toContain("Old.");
  await change([{ operation: "update_page", page: pageId, document: { markdown: "New.\n" } }]);
  for (let round = 0; round < 2; round++) {
    const [byId, byPath, document, before] = await texts();
    for (const text of [byId, byPath, document]) expect(text).toContain("New.");
    expect(before).toContain("Old.");
  }
});

test("a page that was not there is found once it is, and is gone once it is deleted", async () => {
  const { spaceId, pageId, change } = await spaceWithPage();
  const later = `${spaceId}/content/path/later`;
  expect((await read(ada, later)).status).toBe(404);
  await change([{ operation: "insert_page", title: "Later", document: { markdown: "" } }]);
  expect((await read(ada, later)).body).toMatchObject({ title: "Later" });
  expect((await read(ada, `${spaceId}/content/page/${pageId}`)).status).toBe(200);
  await change([{ operation: "delete_page", page: pageId }]);
  expect((await read(ada, `${spaceId}/content/page/${pageId}`)).status).toBe(404);
});

test("who may not read the space is refused, whoever read the page before", async () => {
  const { spaceId, pageId, revisionId } = await spaceWithPage();
  const paths = [
    `${spaceId}/content/page/${pageId}`,
    `${spaceId}/revisions/${revisionId}/page/${pageId}/document`,
  ];
  const statuses = (caller: typeof ada) =>
    Promise.all(paths.map(async (path) => (await read(caller, path)).status));
  expect(await statuses(ada)).toEqual([200, 200]);
  expect(await statuses(stranger)).toEqual([404, 404]);
  await admin.spaces.remove({ spaceId });
  expect(await statuses(ada)).toEqual([404, 404]);
});

test("a page of a change request is read anew each time", async () => {
  const { spaceId, pageId } = await spaceWithPage();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const path = `${spaceId}/change-requests/${changeRequestId}/content/page/${pageId}`;
  expect((await read(ada, path)).body.markdown).toContain("Old.");
  const update = { operation: "update_page", page: pageId, document: { markdown: "Draft.\n" } } as const;
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [update] });
  expect((await read(ada, path)).body.markdown).toContain("Draft.");
});

test("what visitors of a public space see is not what its members read, nor the other way round", async () => {
  const { spaceId, pageId, change } = await spaceWithPage();
  const hidden = { markdown: "{% if visitor.claims.staff %}\n\nSecret.\n\n{% endif %}\n\nShown.\n" };
  await change([{ operation: "update_page", page: pageId, document: hidden }]);
  await t.db.updateTable("space").set({ visibility: "public" }).where("id", "=", spaceId).execute();
  const path = `${spaceId}/content/page/${pageId}`;
  for (let round = 0; round < 2; round++) {
    const [own, seen] = [(await read(ada, path)).body.markdown, (await read(stranger, path)).body.markdown];
    expect(own).toContain("Secret.");
    expect(seen).toContain("Shown.");
    expect(seen).not.toContain("Secret.");
  }
});
