import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { tripsOf } from "../../testing/trips.js";

const t = await contentTest();
afterAll(t.drop);
const ada = t.user({ acme: "admin" }, { id: "ada" });
const admin = t.call(ada);

let spaceId: string;
let pages: string[];
beforeAll(async () => {
  spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [1, 2, 3].map((number) => ({
    operation: "insert_page" as const,
    title: `Page ${number}`,
    document: { markdown: `Page ${number} leads to [another](page-2.md).` },
  }));
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  pages = (await admin.content.pages({ spaceId })).pages.map(({ id }) => id);
});

type Call = (api: typeof admin) => Promise<unknown>;
const statements = (call: Call) => t.queriesOf(ada, call);

async function opened(): Promise<string> {
  return (await admin.changeRequests.create({ spaceId })).id;
}
const update =
  (changeRequestId: string, markdown: string, page = pages[0]!): Call =>
  (api) =>
    api.changeRequests.edit({
      spaceId,
      changeRequestId,
      changes: [{ operation: "update_page", page, document: { markdown } }],
    });
const insert =
  (changeRequestId: string, markdown: string): Call =>
  (api) =>
    api.changeRequests.edit({
      spaceId,
      changeRequestId,
      changes: [{ operation: "insert_page", title: "New", document: { markdown } }],
    });

// Of an administrator, besides begin and commit: what is added here is added to every write.
test("writes take so many statements", async () => {
  const changeRequestId = await opened();
  expect({
    open: await statements((api) => api.changeRequests.create({ spaceId })),
    edit: await statements(update(changeRequestId, "Words without a link.")),
    "edit with a link that the page has": await statements(
      update(changeRequestId, "Else it leads to [another](page-2.md).", pages[2]),
    ),
    "edit with a link that is new": await statements(
      update(changeRequestId, "Now it leads to [the first](page-1.md)."),
    ),
    "new page": await statements(insert(changeRequestId, "Words of its own.")),
    comment: await statements((api) => api.comments.post({ spaceId, body: { markdown: "So it is." } })),
    merge: await statements((api) => api.changeRequests.merge({ spaceId, changeRequestId })),
  }).toEqual({
    open: 6,
    edit: 9,
    "edit with a link that the page has": 11,
    "edit with a link that is new": 13,
    "new page": 9,
    comment: 5,
    merge: 20,
  });
});

// Of those statements that nothing is read from, none is waited for before the next one.
test("writes wait for the database so many times", async () => {
  const changeRequestId = await opened();
  let times = 0;
  const merge: Call = async (api) => {
    const one = { spaceId, changeRequestId: await opened() };
    times += 1;
    await update(one.changeRequestId, `Merged ${times}.`, pages[1])(admin);
    expect(await api.changeRequests.merge(one)).toMatchObject({ result: "merge" });
  };
  expect({
    open: await tripsOf(t, (api) => api.changeRequests.create({ spaceId })),
    edit: await tripsOf(t, update(changeRequestId, "Words without a link.")),
    "edit with a link that is new": await tripsOf(t, (api) => {
      times += 1;
      return update(changeRequestId, `It leads to [the first](page-1.md?${times}).`)(api);
    }),
    "new page": await tripsOf(t, insert(changeRequestId, "Words of its own.")),
    comment: await tripsOf(t, (api) => api.comments.post({ spaceId, body: { markdown: "So it is." } })),
    merge: await tripsOf(t, merge),
  }).toEqual({
    open: 3,
    edit: 3,
    "edit with a link that is new": 6,
    "new page": 4,
    comment: 2,
    merge: 5,
  });
});

test("an edit of many pages takes hardly more statements than one of one", async () => {
  const changeRequestId = await opened();
  const edit = (of: string[], text: string): Call => {
    return (api) =>
      api.changeRequests.edit({
        spaceId,
        changeRequestId,
        changes: of.map((page) => ({
          operation: "update_page" as const,
          page,
          document: { markdown: `${text} ${page}` },
        })),
      });
  };
  const one = await statements(edit(pages.slice(0, 1), "One"));
  const three = await statements(edit(pages, "Three"));
  // All pages and their texts are read together; more than one text is waited for as it is kept.
  expect(three - one).toBeLessThanOrEqual(1);
});
