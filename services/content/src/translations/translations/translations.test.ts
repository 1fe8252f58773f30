import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { findJob } from "@octavo/shared/testing/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);

const admin = t.as({ acme: "admin" });
const organizationId = "acme";
const paragraph = {
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Be brief.", marks: [] }] }],
};
const instructions = { object: "document" as const, data: { schemaVersion: 1 }, nodes: [paragraph] };

async function created(over: object = {}) {
  const space = await t.space();
  const input = { organizationId, source: { space, language: "en" }, language: "de" };
  return { space, translation: await admin.translations.create({ ...input, ...over }) };
}

test("a translation is created pending, without a result, and with empty instructions by default", async () => {
  const { space, translation } = await created();
  expect(translation).toMatchObject({
    object: "translation",
    status: "pending",
    source: { space, language: "en" },
    language: "de",
    instructions: { object: "document", nodes: [] },
    stats: {
      runs: 0,
      totalWords: 0,
      totalPages: 0,
      totalDuration: 0,
      latestRunDuration: 0,
      latestPages: 0,
      latestWords: 0,
    },
    permissions: { view: true, edit: true },
    urls: { location: expect.stringMatching(`/v1/orgs/acme/translations/${translation.id}$`) },
  });
  expect(translation.result).toBeUndefined();
  expect((await created({ instructions })).translation.instructions).toEqual(instructions);
});

test("PUT changes the instructions", async () => {
  const { translation } = await created();
  const one = { organizationId, translationId: translation.id };
  expect((await admin.translations.update({ ...one, instructions })).instructions).toEqual(instructions);
  expect((await admin.translations.get(one)).instructions).toEqual(instructions);
  const broken = { object: "document", data: {}, nodes: [{ object: "block", type: "nonsense" }] };
  const update = admin.translations.update({ ...one, instructions: broken as never });
  await expect(update).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("lists have the translations of one organization, page by page", async () => {
  const own = t.as({ listing: "admin" }, { id: "lister" });
  const space = await t.space({ organization: "listing" });
  const ids: string[] = [];
  for (const language of ["de", "fr", "ja"])
    ids.push(
      (
        await own.translations.create({
          organizationId: "listing",
          source: { space, language: "en" },
          language,
        })
      ).id,
    );
  const first = await own.translations.list({ organizationId: "listing", limit: 2 });
  const { items } = await own.translations.list({
    organizationId: "listing",
    limit: 2,
    page: first.next!.page,
  });
  expect([...first.items, ...items].map(({ id }) => id)).toEqual(ids);
  expect(first.count).toBe(3);
});

test("a run is enqueued once for a translation", async () => {
  const { translation } = await created();
  const one = { organizationId, translationId: translation.id };
  await admin.translations.run(one);
  await admin.translations.run(one);
  expect(await findJob(t, { key: `translations.run ${translation.id}` })).toMatchObject({
    job: "translations.run",
  });
});

test("all of it is for administrators; what a stranger names is not there", async () => {
  const { space, translation } = await created();
  const one = { organizationId, translationId: translation.id };
  const creator = t.as({ acme: "create" }, { id: "creator" });
  const stranger = t.as({ beta: "admin" }, { id: "stranger" });
  const source = { space, language: "en" };
  const calls = [
    (who: typeof admin) => who.translations.list({ organizationId }),
    (who: typeof admin) => who.translations.create({ organizationId, source, language: "fr" }),
    (who: typeof admin) => who.translations.get(one),
    (who: typeof admin) => who.translations.update({ ...one, instructions }),
    (who: typeof admin) => who.translations.run(one),
  ];
  for (const call of calls) {
    await expect(call(creator)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(call(stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  await expect(creator.translations.remove(one)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await stranger.translations.remove(one);
  expect(await admin.translations.get(one)).toMatchObject({ id: translation.id });
  const elsewhere = await t.space({ organization: "beta" });
  const creation = admin.translations.create({
    organizationId,
    source: { space: elsewhere, language: "en" },
    language: "de",
  });
  await expect(creation).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a language into itself, an unknown language and an unknown translation are refused", async () => {
  const space = await t.space();
  const into = (language: string) =>
    admin.translations.create({ organizationId, source: { space, language: "en" }, language });
  await expect(into("en")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(into("tlh")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const unknown = { organizationId, translationId: newId() };
  await expect(admin.translations.get(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(admin.translations.run(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await admin.translations.remove(unknown);
});

test("a deleted translation is gone", async () => {
  const { translation } = await created();
  const one = { organizationId, translationId: translation.id };
  await admin.translations.remove(one);
  await expect(admin.translations.get(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
