import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const editor = t.as({ acme: "edit" }, { id: "editor" });
const stranger = t.as({ beta: "admin" }, { id: "stranger" });

const markdown = (title: string, ...blocks: string[]) => ({
  markdown: `# ${title}\n\n${blocks.join("\n\n")}\n`,
});

/** A space whose primary content holds pages with these titles, made the way that users do it. */
async function spaceWith(...titles: string[]) {
  const spaceId = await t.space();
  const cr = await admin.changeRequests.create({ spaceId, subject: "First" });
  const changeRequestId = cr.id;
  const changes = titles.map((title) => ({
    operation: "insert_page" as const,
    document: markdown(title, "One.", "Two.", "Three."),
  }));
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, pages };
}

async function open(spaceId: string, changes: Parameters<typeof admin.changeRequests.edit>[0]["changes"]) {
  const { id } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId: id, changes });
  return { spaceId, changeRequestId: id };
}

test("POST change-requests opens a draft on the active revision, numbered from 1 without gaps", async () => {
  const spaceId = await t.space();
  const made = await Promise.all(Array.from({ length: 20 }, () => editor.changeRequests.create({ spaceId })));
  expect(made.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  expect(made[0]).toMatchObject({
    status: "draft",
    subject: "",
    outdated: false,
    createdBy: { id: "editor" },
  });
  expect(made[0]!.revision).toBe(made[0]!.revisionInitial);
});

test("GET change-requests/{changeRequestId} answers by id and by number; an unknown one is 404", async () => {
  const spaceId = await t.space();
  const made = await admin.changeRequests.create({ spaceId, subject: "By number" });
  expect(await admin.changeRequests.get({ spaceId, changeRequestId: "1" })).toEqual(made);
  expect(await admin.changeRequests.get({ spaceId, changeRequestId: made.id })).toEqual(made);
  await expect(admin.changeRequests.get({ spaceId, changeRequestId: "2" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("change requests of a foreign organization are 404, and too little a role is 403", async () => {
  const spaceId = await t.space();
  const { id } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId: id };
  await expect(stranger.changeRequests.get(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(stranger.changeRequests.create({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const reader = t.as({ acme: "read" }, { id: "reader" });
  await expect(reader.changeRequests.create({ spaceId })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(editor.changeRequests.merge(one)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const guest = t.as({ acme: null }, { id: "guest" });
  await expect(guest.changeRequests.list({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("PATCH change-requests/{changeRequestId} moves the status and the space's counters", async () => {
  const spaceId = await t.space();
  const { id } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId: id };
  expect(await admin.changeRequests.update({ ...one, status: "open", subject: "Ready" })).toMatchObject({
    status: "open",
    subject: "Ready",
  });
  const counters = () =>
    t.db
      .selectFrom("space")
      .select(["change_requests", "change_requests_open", "change_requests_draft"])
      .where("id", "=", spaceId)
      .executeTakeFirst();
  expect(await counters()).toEqual({ change_requests: 1, change_requests_open: 1, change_requests_draft: 0 });
  await admin.changeRequests.merge(one);
  expect(await counters()).toEqual({ change_requests: 1, change_requests_open: 0, change_requests_draft: 0 });
  await expect(admin.changeRequests.update({ ...one, status: "draft" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("GET change-requests lists one status, newest first, page by page", async () => {
  const spaceId = await t.space();
  for (let at = 0; at < 5; at++) await admin.changeRequests.create({ spaceId });
  expect((await admin.changeRequests.list({ spaceId })).items).toEqual([]);
  const first = await admin.changeRequests.list({ spaceId, status: "draft", limit: 3 });
  expect(first).toMatchObject({ count: 5, items: [{ number: 5 }, { number: 4 }, { number: 3 }] });
  const second = await admin.changeRequests.list({
    spaceId,
    status: "draft",
    limit: 3,
    page: first.next!.page,
  });
  expect(second.items.map(({ number }) => number)).toEqual([2, 1]);
  expect(second.next).toBeUndefined();
  await expect(admin.changeRequests.list({ spaceId, page: "nonsense" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("POST content applies a batch in order: pages by temporary names, places, and a subtree that goes", async () => {
  const { spaceId, pages } = await spaceWith("Alpha", "Beta");
  const [alpha, beta] = pages as unknown as [{ id: string }, { id: string }];
  const one = await open(spaceId, [
    {
      operation: "insert_page",
      title: "Gamma",
      into: alpha.id,
      ref: "gamma",
      document: { markdown: "Text." },
    },
    { operation: "insert_page", title: "Delta", into: "gamma", document: {} },
    { operation: "insert_page", title: "First", at: 0, document: { markdown: "# First\n\nHello.\n" } },
    { operation: "delete_page", page: beta.id },
  ]);
  const { pages: seen } = await admin.changeRequestContent.pages(one);
  expect(seen).toMatchObject([
    { title: "First", path: "first" },
    {
      title: "Alpha",
      path: "alpha",
      pages: [{ title: "Gamma", path: "alpha/gamma", pages: [{ title: "Delta" }] }],
    },
  ]);
  expect((await admin.content.pages({ spaceId })).pages).toMatchObject([
    { title: "Alpha", pages: [] },
    { title: "Beta" },
  ]);
  await admin.changeRequests.merge(one);
  expect((await admin.content.pages({ spaceId })).pages).toEqual(seen);
});

test("POST content is all or nothing", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const { id } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId: id };
  const changes = [
    { operation: "insert_page" as const, title: "Kept?", document: {} },
    { operation: "update_page" as const, page: "nobody", title: "x" },
  ];
  await expect(admin.changeRequests.edit({ ...one, changes })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await admin.changeRequestContent.pages(one)).pages).toEqual(pages);
  expect((await admin.changeRequests.get(one)).revision).toBe(
    (await admin.changeRequests.get(one)).revisionInitial,
  );
});

test("POST content refuses a page under itself, 51 changes, and an edit of what is merged", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const one = await open(spaceId, [
    { operation: "insert_page", title: "Child", into: page, ref: "child", document: {} },
  ]);
  const child = (
    (await admin.changeRequestContent.page({ ...one, pageId: page })) as { pages: { id: string }[] }
  ).pages[0]!.id;
  const move = { operation: "update_page" as const, page, into: child };
  await expect(admin.changeRequests.edit({ ...one, changes: [move] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  const many = Array.from({ length: 51 }, () => ({ operation: "insert_page" as const, document: {} }));
  await expect(admin.changeRequests.edit({ ...one, changes: many })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await admin.changeRequests.merge(one);
  const late = [{ operation: "update_page" as const, page, title: "Late" }];
  await expect(admin.changeRequests.edit({ ...one, changes: late })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(admin.changeRequests.merge(one)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("two change requests that touch different blocks of a page both merge", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const one = await open(spaceId, [
    { operation: "update_page", page, document: markdown("Alpha", "Uno.", "Two.", "Three.") },
  ]);
  const two = await open(spaceId, [
    { operation: "update_page", page, document: markdown("Alpha", "One.", "Two.", "Tres.") },
  ]);
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect((await admin.changeRequests.get(two)).outdated).toBe(true);
  expect((await admin.changeRequests.merge(two)).result).toBe("merge");
  const { markdown: text } = (await admin.content.page({ spaceId, pageId: page })) as { markdown: string };
  expect(text).toBe(markdown("Alpha", "Uno.", "Two.", "Tres.").markdown);
});

test("two change requests that touch the same block conflict: nothing changes, and an update says so too", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const one = await open(spaceId, [
    { operation: "update_page", page, document: markdown("Alpha", "Uno.", "Two.", "Three.") },
  ]);
  const two = await open(spaceId, [
    { operation: "update_page", page, document: markdown("Alpha", "Eins.", "Two.", "Three.") },
  ]);
  await admin.changeRequests.merge(one);
  const before = await admin.content.revision({ spaceId });
  const mine = await admin.changeRequests.get(two);
  expect(await admin.changeRequests.merge(two)).toEqual({ result: "conflicts", revision: mine.revision });
  expect(await admin.changeRequests.pull(two)).toEqual({ result: "conflicts", revision: mine.revision });
  expect(await admin.content.revision({ spaceId })).toEqual(before);
  expect((await admin.changeRequests.get(two)).status).toBe("draft");
});

test("POST update pulls the primary content in, and what was touched stays", async () => {
  const { spaceId, pages } = await spaceWith("Alpha", "Beta");
  const [alpha, beta] = pages as unknown as [{ id: string }, { id: string }];
  const one = await open(spaceId, [{ operation: "update_page", page: alpha.id, title: "Alef" }]);
  const two = await open(spaceId, [{ operation: "update_page", page: beta.id, title: "Bet" }]);
  const { revision: before } = await admin.changeRequests.get(two);
  await admin.changeRequests.merge(one);
  const pulled = await admin.changeRequests.pull(two);
  expect(pulled.result).toBe("update");
  expect(await admin.changeRequests.get(two)).toMatchObject({ outdated: false, revision: pulled.revision });
  const titles = (pages: { title: string }[]) => pages.map(({ title }) => title);
  expect(titles((await admin.changeRequestContent.pages(two)).pages)).toEqual(["Alef", "Bet"]);
  expect(titles((await admin.revisions.pages({ spaceId, revisionId: before })).pages)).toEqual([
    "Alpha",
    "Bet",
  ]);
});

test("deleting a page that the primary content gave a child since then is a conflict", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const gone = await open(spaceId, [{ operation: "delete_page", page }]);
  const child = await open(spaceId, [{ operation: "insert_page", title: "Child", into: page, document: {} }]);
  await admin.changeRequests.merge(child);
  expect((await admin.changeRequests.merge(gone)).result).toBe("conflicts");
});

test("pages that meet with the same slug and place both stay, the second with a suffix", async () => {
  const spaceId = await t.space();
  const insert = { operation: "insert_page" as const, title: "Same", document: {} };
  const one = await open(spaceId, [insert]);
  const two = await open(spaceId, [insert]);
  await admin.changeRequests.merge(one);
  await admin.changeRequests.merge(two);
  const { pages } = await admin.content.pages({ spaceId });
  expect(pages).toMatchObject([{ path: "same" }, { path: "same-1" }]);
});

test("50 overlapping merges at once end in some serial order, each applied or in conflict", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const page = pages[0]!.id;
  const requests = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      open(spaceId, [
        { operation: "update_page", page, document: markdown("Alpha", `By ${at}.`, "Two.", "Three.") },
      ]),
    ),
  );
  const results = await Promise.all(requests.map((one) => admin.changeRequests.merge(one)));
  expect(results.filter(({ result }) => result === "merge")).toHaveLength(1);
  expect(results.filter(({ result }) => result === "conflicts")).toHaveLength(49);
  const winner = results.findIndex(({ result }) => result === "merge");
  const { markdown: text } = (await admin.content.page({ spaceId, pageId: page })) as { markdown: string };
  expect(text).toContain(`By ${winner}.`);
});

test("any revision ever returned reads the same again", async () => {
  const { spaceId, pages } = await spaceWith("Alpha");
  const seen = await admin.content.revision({ spaceId });
  const one = await open(spaceId, [{ operation: "update_page", page: pages[0]!.id, title: "Other" }]);
  await admin.changeRequests.merge(one);
  expect(await admin.revisions.revision({ spaceId, revisionId: seen.id })).toEqual(seen);
  const now = await admin.content.revision({ spaceId });
  expect(now).toMatchObject({ type: "merge", mergedFrom: { id: one.changeRequestId, status: "merged" } });
  expect(now.parents[0]).toBe(seen.id);
});

test("a merge tells the other services of the new primary content", async () => {
  const { spaceId } = await spaceWith("Alpha");
  const { id: revision } = await admin.content.revision({ spaceId });
  const events = (await t.emitted("content.content.updated")) as { space: string }[];
  expect(events.filter(({ space }) => space === spaceId)).toEqual([
    { space: spaceId, organization: "acme", revision, changeRequest: expect.any(String) },
  ]);
});

test("insert_files keeps a file whose download works, and its kind comes from its bytes", async () => {
  const spaceId = await t.space();
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEElEQVR4nGP4z8DwH4QZYAwAR8oH+WdZgu0AAAAASUVORK5CYII=";
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId };
  const changes = [{ operation: "insert_files" as const, files: [{ name: "dot.bin", base64: png }] }];
  const edited = await admin.changeRequests.edit({ ...one, changes, compat: false });
  expect(edited).toMatchObject({
    insertedFiles: [{ name: "dot.bin", contentType: "image/png", dimensions: { width: 2, height: 3 } }],
  });
  const { items, count } = await admin.changeRequestContent.files(one);
  expect(count).toBe(1);
  expect(await admin.changeRequestContent.file({ ...one, fileId: items[0]!.id })).toEqual(items[0]);
});
