import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { abandon, runImport } from "./run.js";
import { serve } from "./testing.js";

// Nothing works on the jobs here: each test runs those that it wants to see.
const t = await contentTest();
const servers: { close(): Promise<unknown> }[] = [];
/** A client that is gone, for whom nobody waits. */
const gone = AbortSignal.abort();
const who = t.user({ acme: "admin" }, { id: "ada" });
const admin = t.call(who, { signal: gone });
const running = new AbortController().signal;
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await t.drop();
});

async function started(pages: Record<string, string>, before?: () => Promise<unknown>) {
  const server = await serve(pages, before);
  servers.push(server);
  const spaceId = await t.space();
  const input = { spaceId, url: `${server.url}/guide.md?key=hunter2`, source: "markdown" as const };
  const result = await admin.contentImport.importContent(input);
  return { spaceId, importId: result.import, result, server };
}

const titles = async (spaceId: string) =>
  (await admin.content.pages({ spaceId })).pages.map(({ title }) => title);

test("an import that outlasts its request goes on, and its state reports what was imported and what was not", async () => {
  const context = t.context(who, { signal: gone });
  const { spaceId, importId, result } = await started({ "/guide.md": "# Guide\n\n![](missing.png)\n" });
  const { revision } = await admin.content.revision({ spaceId }).then(({ id }) => ({ revision: id }));
  expect(result).toMatchObject({ revision, importedResources: 0 });
  const one = { spaceId, importId };
  expect(await admin.imports.get(one)).toMatchObject({ state: "pending", host: /^127/ });
  await runImport(context, importId, running);
  const ended = await admin.imports.get(one);
  expect(ended).toMatchObject({
    state: "completed",
    source: "markdown",
    createdBy: "ada",
    importedResources: 1,
    totalResources: 2,
    skipped: [{ reason: "unreachable", count: 1 }],
  });
  expect(ended.revision).toBe((await admin.content.revision({ spaceId })).id);
  expect((await admin.imports.list({ spaceId })).items).toEqual([ended]);
});

test("POST content/import is 202 with the address of the import while it goes on", async () => {
  const context = t.context(who, { signal: gone });
  const { router } = await import("../router.js");
  const { createCaller } = await import("../trpc.js");
  const spaceId = await t.space();
  const input = { spaceId, url: "http://127.0.0.1:9/x", source: "markdown" as const };
  const result = await createCaller(router)(context).contentImport.importContent(input);
  expect(context.reply).toMatchObject({
    status: 202,
    headers: { location: expect.stringMatching(`/spaces/${spaceId}/imports/${result.import}$`) },
  });
});

test("an import that was cut short is run again, one that has ended is not, and of two at once one writes", async () => {
  const stop = new AbortController();
  let stopped = false;
  const { spaceId, importId, server } = await started({ "/guide.md": "# Guide\n" }, async () => {
    if (!stopped) stop.abort(new Error("the service stops"));
    stopped = true;
  });
  await expect(runImport(t.ctx, importId, stop.signal)).rejects.toThrow();
  expect(await admin.imports.get({ spaceId, importId })).toMatchObject({ state: "in-progress" });
  expect(await titles(spaceId)).toEqual([]);
  const tries = await Promise.allSettled([1, 2].map(() => runImport(t.ctx, importId, running)));
  expect(tries.map(({ status }) => status)).toContain("fulfilled");
  await runImport(t.ctx, importId, running);
  expect(await titles(spaceId)).toEqual(["Guide"]);
  expect(server.asked.length).toBeLessThanOrEqual(3);
});

test("what an import is refused for is kept with it, and of its address nothing but the host", async () => {
  const { spaceId, importId } = await started({});
  const row = () =>
    t.db.selectFrom("content_import").selectAll().where("id", "=", importId).executeTakeFirstOrThrow();
  expect(JSON.stringify(await row())).not.toContain("hunter2");
  await runImport(t.ctx, importId, running);
  const { items } = await admin.imports.list({ spaceId });
  expect(items).toMatchObject([
    { state: "failed", error: { reason: "unreachable", message: "body.url: 404 from the address" } },
  ]);
  expect((await row()).request).toBe("");
  expect(await titles(spaceId)).toEqual([]);
});

test("an import that no try is left for has failed, and one of a space that is transferred is gone", async () => {
  const lost = await started({ "/guide.md": "# Guide\n" });
  await abandon(t.ctx, lost.importId);
  await runImport(t.ctx, lost.importId, running);
  expect(await admin.imports.get(lost)).toMatchObject({
    state: "failed",
    error: { reason: "import_failed" },
  });
  const moved = await started({ "/guide.md": "# Guide\n" });
  const { spaceId } = moved;
  await t.as({ acme: "admin", beta: "admin" }).spaces.transfer({ spaceId, organization: "beta" });
  await runImport(t.ctx, moved.importId, running);
  expect((await t.as({ beta: "admin" }).imports.list({ spaceId })).items).toEqual([]);
  expect((await t.as({ beta: "admin" }).content.pages({ spaceId })).pages).toEqual([]);
});

test("GET imports is for who may read the space, of which it has the imports", async () => {
  const { spaceId, importId } = await started({});
  const reader = t.as({ acme: "read" }, { id: "reader" });
  expect((await reader.imports.list({ spaceId })).count).toBe(1);
  const stranger = t.as({ beta: "admin" });
  await expect(stranger.imports.list({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(stranger.imports.get({ spaceId, importId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const elsewhere = await t.space();
  await expect(admin.imports.get({ spaceId: elsewhere, importId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("imports of an organization that wait are bounded, and of those that ended the last hundred are kept", async () => {
  const organization = "crowded";
  const spaceId = await t.space({ organization });
  const crowd = t.call(t.user({ crowded: "admin" }, { id: "eve" }), { signal: gone });
  const input = { spaceId, url: "http://127.0.0.1:9/x", source: "markdown" as const };
  for (let count = 0; count < 100; count += 1) await crowd.contentImport.importContent(input);
  await expect(crowd.contentImport.importContent(input)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
  });
  const { items } = await crowd.imports.list({ spaceId, limit: 1000 });
  for (const { id } of items) await abandon(t.ctx, id);
  await crowd.contentImport.importContent(input);
  const left = (await crowd.imports.list({ spaceId, limit: 1000 })).items;
  expect(left).toHaveLength(100);
  expect(left.map(({ id }) => id)).not.toContain(items.at(-1)!.id);
});
