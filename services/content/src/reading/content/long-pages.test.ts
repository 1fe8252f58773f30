import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { documentOf } from "../../documents/document.js";
import { gitTest } from "../../git/testing.js";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { createCaller } from "../../trpc.js";
import { createWork } from "../../work/threads.js";

/** Characters of a long page. What goes to threads is the same for any length. */
const LONG = 2_000;

const t = await contentTest({ long: LONG });
const caller = t.user({ acme: "admin" });
const admin = t.as({ acme: "admin" });
const { repositoryOf, run, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

const LINES = Math.ceil(LONG / 20);
const text = (line: (at: number) => string) =>
  Array.from({ length: LINES }, (_, at) => line(at)).join("\n\n");
const words = (at: number) => `Words of line ${at}, **bold**.`;

/** A space with one long page. */
async function longPage(sent: string | { document: JSONDocument }) {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const document = typeof sent === "string" ? { markdown: sent } : sent;
  const insert = { operation: "insert_page" as const, title: "Long", document };
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [insert] });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, pageId: pages[0]!.id };
}

/** An open change request in which a page has another text. */
async function changed(page: { spaceId: string; pageId: string }, markdown: string) {
  const { spaceId, pageId } = page;
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const update = { operation: "update_page" as const, page: pageId, document: { markdown } };
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [update] });
  return { spaceId, changeRequestId };
}

/** Which tasks are requested meanwhile, of a text that is long. */
async function tasksIn(call: () => Promise<unknown>): Promise<Set<string>> {
  const run = vi.spyOn(t.base.work, "run");
  const before = t.base.work.done;
  await call();
  expect(t.base.work.done - before).toBeGreaterThan(0);
  const names = new Set(run.mock.calls.map(([task]) => task as string));
  run.mockRestore();
  return names;
}

/** How much is done on other threads meanwhile. */
async function doneIn(call: () => Promise<unknown>): Promise<number> {
  const before = t.base.work.done;
  await call();
  return t.base.work.done - before;
}

test("a long page is written, read, merged and compared on other threads, with the same outcome", async () => {
  const markdown = text(words);
  let page = { spaceId: "", pageId: "" };
  expect(
    await doneIn(async () => {
      page = await longPage(markdown);
    }),
  ).toBeGreaterThan(0);
  const read = () => admin.content.page({ ...page, format: "document" });
  expect(await doneIn(read)).toBeGreaterThan(0);
  const shown = await read();
  const { markdown: kept } = (await admin.content.page(page)) as { markdown: string };
  expect((shown as { document: unknown }).document).toEqual(documentOf(kept));
  const ours = await changed(
    page,
    text((at) => (at === 1 ? "Ours" : words(at))),
  );
  const theirs = await changed(
    page,
    text((at) => (at === 1 ? "Theirs" : words(at))),
  );
  const others = await changed(
    page,
    text((at) => (at === 50 ? "Elsewhere" : words(at))),
  );
  await admin.changeRequests.merge(ours);
  expect(await doneIn(() => admin.changeRequests.merge(others))).toBeGreaterThan(0);
  const { markdown: merged } = (await admin.content.page(page)) as { markdown: string };
  expect(["Ours", "Elsewhere", "Theirs"].map((word) => merged.includes(word))).toEqual([true, true, false]);
  expect(await doneIn(() => admin.changeRequests.merge(theirs))).toBeGreaterThan(0);
  expect(await doneIn(() => admin.changes.ofChangeRequest(theirs))).toBeGreaterThan(0);
});

test("a page that takes too long to be read is shown as it is written, and with conditions not at all", async () => {
  // No thread reads this before the deadline has passed, however late that is noticed.
  const longer = Array.from({ length: 40 }, () => text(words)).join("\n\n");
  const plain = await longPage(longer);
  const hiding = await longPage(`{% if visitor.claims.a %}\n\nsecret\n\n{% endif %}\n\n${longer}`);
  const work = createWork({ long: LONG, deadline: 0 });
  const hurried = createCaller(router)({ ...t.context(caller), work });
  const { documentId } = (await admin.content.page(plain)) as { documentId: string };
  const here = { spaceId: plain.spaceId, documentId };
  const refused = { code: "SERVICE_UNAVAILABLE" };
  await expect(hurried.documents.get(here)).rejects.toMatchObject(refused);
  const shown = await hurried.content.pageDocument(plain);
  expect(shown.nodes).toMatchObject([{ type: "code", data: { verbatim: true } }]);
  await expect(hurried.content.pageDocument({ ...hiding, evaluated: "true" })).rejects.toMatchObject(refused);
  await work.close();
});

test("a long text that is sent, as markdown or as a document, or comes by an import is read on other threads", async () => {
  const markdown = text(words);
  let page = { spaceId: "", pageId: "" };
  const inserted = await tasksIn(async () => {
    page = await longPage(markdown);
  });
  expect(inserted).toContain("insertedText");
  expect(await tasksIn(() => changed(page, `${markdown}\n\nMore.`))).toContain("rewrittenText");

  const document = documentOf(markdown);
  const sent = await tasksIn(async () => {
    page = await longPage({ document });
  });
  expect(sent).toContain("renderSent");
  expect((await admin.content.pageDocument(page)).nodes).toMatchObject(
    document.nodes.map(({ type }) => ({ type })),
  );

  const repository = await repositoryOf({ "README.md": "# Start\n", "long.md": `# Long\n\n${markdown}` });
  const spaceId = await t.space();
  expect(await tasksIn(() => run(spaceId, repository.url))).toContain("readImported");
});
