import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { changeRequestsOf } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin } = changeRequestsOf(t);
const editor = t.as({ acme: "edit" }, { id: "editor" });
const stranger = t.as({ beta: "admin" }, { id: "stranger" });

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

test("GET change-requests/{changeRequestId} finds by id and by number; an unknown one is 404", async () => {
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
