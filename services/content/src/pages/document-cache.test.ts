import { afterAll, beforeEach, expect, test } from "vitest";
import { createContentCache } from "../cache.js";
import { router } from "../router.js";
import { contentTest } from "../testing/content.js";
import { createCaller } from "../trpc.js";
import { readDocumentOnce, readJsonOnce } from "./document-cache.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];

/** Names of the work that was done on texts. */
let done: string[];
let reader: typeof admin;
beforeEach(() => {
  done = [];
  const ctx = t.context(t.user({ acme: "admin" }));
  const work = {
    ...ctx.work,
    run: (task: never, input: never) => {
      done.push(task);
      return ctx.work.run(task, input);
    },
  };
  reader = createCaller(router)({ ...ctx, work: work as typeof ctx.work, cache: createContentCache() });
});
const reads = () => done.filter((task) => task === "readDocument").length;

async function merged(spaceId: string, changes: Changes) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const { pages } = await admin.content.pages({ spaceId });
  return Object.fromEntries(pages.map(({ title, id }) => [title, id]));
}

const insert = (title: string, markdown: string, into?: string) =>
  ({ operation: "insert_page", title, document: { markdown }, into }) as const;

test("a text is read once, however often its page is requested and whatever else of the space changes", async () => {
  const spaceId = await t.space();
  const { Guide } = await merged(spaceId, [
    insert("Guide", "Read **on**, [there](other).\n"),
    insert("Other", "x\n"),
  ]);
  const first = await reader.content.pageDocument({ spaceId, pageId: Guide! });
  expect(await reader.content.pageDocument({ spaceId, pageId: Guide! })).toEqual(first);
  expect(done).toEqual(["referencesIn", "readDocument"]);
  await merged(spaceId, [insert("Another", "y\n")]);
  expect(await reader.content.pageDocument({ spaceId, pageId: Guide! })).toEqual(first);
  expect(reads()).toBe(1);
});

test("the same text in two places leads to what lies beside each of them", async () => {
  const spaceId = await t.space();
  const text = "See [it](it.md).\n";
  const { One, Two } = await merged(spaceId, [insert("One", "\n"), insert("Two", "\n")]);
  for (const parent of [One!, Two!])
    await merged(spaceId, [insert("It", "x\n", parent), insert("Page", text, parent)]);
  const targetAt = async (pagePath: string) => {
    const { id: pageId } = await reader.content.pageAtPath({ spaceId, pagePath });
    const document = await reader.content.pageDocument({ spaceId, pageId });
    return /"page":"(\w+)"/.exec(JSON.stringify(document))?.[1];
  };
  for (const name of ["one", "two", "one", "two"])
    expect(await targetAt(`${name}/page`)).toBe(
      (await reader.content.pageAtPath({ spaceId, pagePath: `${name}/it` })).id,
    );
  expect(reads()).toBe(2);
});

test("a change request shows its own text and targets, and the primary content the ones that it had", async () => {
  const spaceId = await t.space();
  const { Guide } = await merged(spaceId, [insert("Guide", "See [it](other).\n"), insert("Other", "x\n")]);
  const before = await reader.content.pageDocument({ spaceId, pageId: Guide! });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const own = { spaceId, changeRequestId, pageId: Guide! };
  expect(await reader.changeRequestContent.pageDocument(own)).toEqual(before);
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "update_page", page: Guide!, document: { markdown: "New.\n" } }],
  });
  expect(JSON.stringify(await reader.changeRequestContent.pageDocument(own))).toContain("New.");
  expect(await reader.content.pageDocument({ spaceId, pageId: Guide! })).toEqual(before);
});

test("what a caller does to a document changes nothing for the next one", async () => {
  const { ctx } = t;
  const reading = { markdown: "# Title\n\nwords\n" };
  const first = await readDocumentOnce(ctx, reading);
  const second = await readDocumentOnce(ctx, reading);
  (second as { nodes: unknown[] }).nodes.length = 0;
  expect(await readDocumentOnce(ctx, reading)).toEqual(first);
});

test("the JSON of a document is read once as well, is kept compressed before long, and says the same then", async () => {
  const { ctx } = t;
  const reading = { markdown: `# Title\n\n${"words and words\n\n".repeat(200)}`, unkeyed: true };
  const json = await readJsonOnce(ctx, reading);
  expect(JSON.parse(json)).toEqual(await ctx.work.run("readDocument", reading));
  const { calculatedSize: before, size: entries } = ctx.cache;
  await expect.poll(() => ctx.cache.calculatedSize).toBeLessThan(before - json.length);
  expect(await readJsonOnce(ctx, reading)).toBe(json);
  expect(await readJsonOnce(ctx, { ...reading, unkeyed: false })).toContain('"key"');
  expect(ctx.cache.size).toBe(entries + 1);
});

test("what is evaluated is read anew each time, also after the same text was read as it is written", async () => {
  const spaceId = await t.space();
  const { Guide } = await merged(spaceId, [insert("Guide", 'Now <code class="expression">1 + 1</code>.\n')]);
  const at = { spaceId, pageId: Guide! };
  const plain = await reader.content.pageDocument(at);
  const evaluated = await reader.content.pageDocument({ ...at, evaluated: "true" });
  expect(evaluated).not.toEqual(plain);
  await reader.content.pageDocument({ ...at, evaluated: "true" });
  expect(await reader.content.pageDocument(at)).toEqual(plain);
  expect(reads()).toBe(3);
});
