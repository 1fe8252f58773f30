import { EventEmitter, once } from "node:events";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { waitFor } from "@octavo/shared/testing/schema";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { purge } from "../library/spaces/purge.js";
import { router } from "../router.js";
import type { FileStorage } from "../storage/storage.js";
import { bodiesOf, hashOf, keepBodies } from "../store/bodies.js";
import { contentTest } from "../testing/content.js";
import { type Ctx, createCaller } from "../trpc.js";
import { collect } from "./collect.js";
import { receive } from "./receive.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

const HOUR_MS = 3_600_000;
const clockIn = (hours: number) => () => new Date(Date.now() + hours * HOUR_MS);
/** The service itself, so many hours from now, and perhaps with another storage. */
const serviceIn = (hours: number, storage: FileStorage = t.ctx.storage): Ctx => ({
  ...t.ctx,
  storage,
  clock: clockIn(hours),
});
const WEEK = 7 * 24;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const isKept = (text: string) => t.ctx.storage.has(hashOf(text));

/** A space with a file that came in so many hours from now. */
async function spaceWith(text: string, hours = 0) {
  const admin = createCaller(router)({ ...t.context(t.user({ acme: "admin" })), clock: clockIn(hours) });
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const files = [{ name: "file.txt", base64: base64(text) }];
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "insert_files", files }],
  });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  return spaceId;
}

async function purgeNow(spaceId: string) {
  await admin.spaces.remove({ spaceId });
  await purge(serviceIn(WEEK), spaceId);
}

test("a file that two spaces share stays until the second is purged as well", async () => {
  const [one, other] = [await spaceWith("shared"), await spaceWith("shared")];
  await purgeNow(one);
  await collect(serviceIn(WEEK));
  expect(await isKept("shared")).toBe(true);
  expect((await admin.content.files({ spaceId: other })).items).toMatchObject([{ size: 6 }]);
  await purgeNow(other);
  await collect(serviceIn(WEEK));
  expect(await isKept("shared")).toBe(false);
});

test("a file that a change deleted stays for the revisions that have it, until its space is purged", async () => {
  const spaceId = await spaceWith("deleted");
  const [file] = (await admin.content.files({ spaceId })).items;
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [{ operation: "delete_file" as const, file: file!.id }];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  await collect(serviceIn(WEEK));
  expect(await isKept("deleted")).toBe(true);
  await purgeNow(spaceId);
  await collect(serviceIn(WEEK));
  expect(await isKept("deleted")).toBe(false);
});

test("a copy of a space keeps the files of the one that is purged", async () => {
  const spaceId = await spaceWith("copied");
  await admin.spaces.duplicate({ spaceId });
  await purgeNow(spaceId);
  await collect(serviceIn(WEEK));
  expect(await isKept("copied")).toBe(true);
});

test("a file that came in just before its last space was purged stays for its time of grace", async () => {
  const spaceId = await spaceWith("again");
  await admin.spaces.remove({ spaceId });
  await receive(serviceIn(WEEK - 1), Buffer.from("again"), { name: "again" });
  await purge(serviceIn(WEEK), spaceId);
  await collect(serviceIn(WEEK));
  expect(await isKept("again")).toBe(true);
  await collect(serviceIn(WEEK + 24));
  expect(await isKept("again")).toBe(false);
});

test("an upload of the content that is being removed waits, and keeps it anew", async () => {
  await purgeNow(await spaceWith("raced"));
  const events = new EventEmitter();
  const removing = once(events, "removing");
  const slow: FileStorage = {
    ...t.ctx.storage,
    remove: async (hash) => {
      if (hash === hashOf("raced")) {
        events.emit("removing");
        await once(events, "go");
      }
      await t.ctx.storage.remove(hash);
    },
  };
  const collecting = collect(serviceIn(WEEK, slow));
  await removing;
  const uploading = spaceWith("raced", WEEK);
  await waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and query like ${`%stored_file%`}
        and pid in (select pid from pg_locks where relation = 'stored_file'::regclass)`.execute(t.db);
    return rows.length > 0;
  });
  events.emit("go");
  const [spaceId] = await Promise.all([uploading, collecting]);
  expect(await isKept("raced")).toBe(true);
  await collect(serviceIn(WEEK + 25));
  expect(await isKept("raced")).toBe(true);
  expect((await admin.content.files({ spaceId })).items).toHaveLength(1);
});

test("many uploads of contents that are being collected all survive", async () => {
  const texts = Array.from({ length: 12 }, (_, at) => `raced ${at}`);
  for (const text of texts) await receive(t.ctx, Buffer.from(text), { name: "old" });
  await Promise.all([
    ...texts.map((text) => spaceWith(text, 25)),
    collect(serviceIn(25)),
    collect(serviceIn(25)),
    ...texts.map((text) => spaceWith(text, 25)),
  ]);
  expect(await Promise.all(texts.map(isKept))).toEqual(texts.map(() => true));
});

test("a refused request stores nothing", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = [
    { operation: "insert_files" as const, files: [{ name: "refused.txt", base64: base64("refused") }] },
    { operation: "delete_page" as const, page: "nothing" },
  ];
  await expect(admin.changeRequests.edit({ spaceId, changeRequestId, changes })).rejects.toThrow();
  expect(await isKept("refused")).toBe(false);
});

test("a content that no transaction came to name is collected after a day, and one that is named is not", async () => {
  await receive(t.ctx, Buffer.from("lost"), { name: "lost.txt" });
  await spaceWith("named");
  await collect(serviceIn(23));
  expect([await isKept("lost"), await isKept("named")]).toEqual([true, true]);
  await collect(serviceIn(25));
  expect([await isKept("lost"), await isKept("named")]).toEqual([false, true]);
});

test("a storage that is away leaves what it could not remove for the next time", async () => {
  await purgeNow(await spaceWith("stubborn"));
  const away: FileStorage = {
    ...t.ctx.storage,
    remove: async () => {
      throw new Error("away");
    },
  };
  await expect(collect(serviceIn(WEEK, away))).rejects.toThrow("away");
  expect(await isKept("stubborn")).toBe(true);
  await collect(serviceIn(WEEK));
  expect(await isKept("stubborn")).toBe(false);
});

test("texts that no revision names are swept after a day, unless they are kept again", async () => {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const page = { operation: "insert_page" as const, document: { markdown: "# Named\n" } };
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [page] });
  const [lost, again] = (await keepBodies(t.ctx, spaceId, ["# Lost\n", "# Again\n"])) as [string, string];
  const left = async () =>
    [...(await bodiesOf(t.ctx, spaceId, [lost, again, hashOf("# Named\n")])).values()].sort();
  await collect(serviceIn(23));
  expect(await left()).toEqual(["# Again\n", "# Lost\n", "# Named\n"]);
  await keepBodies(serviceIn(23), spaceId, ["# Again\n"]);
  await collect(serviceIn(24));
  expect(await left()).toEqual(["# Again\n", "# Named\n"]);
  await collect(serviceIn(48));
  expect(await left()).toEqual(["# Named\n"]);
});

test("a text of another space is no reason to keep one", async () => {
  const [spaceId, other] = [await t.space(), await t.space()];
  const [hash] = await keepBodies(t.ctx, other, ["# Same\n"]);
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const page = { operation: "insert_page" as const, document: { markdown: "# Same\n" } };
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [page] });
  await collect(serviceIn(25));
  expect((await bodiesOf(t.ctx, spaceId, [hash!])).size).toBe(1);
  expect((await bodiesOf(t.ctx, other, [hash!])).size).toBe(0);
});
