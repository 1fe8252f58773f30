import { prepareQueue } from "@octavo/shared/jobs/queue";
import { findJob } from "@octavo/shared/testing/jobs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { libreTranslator } from "../../translators/libretranslate.js";
import { openAITranslator } from "../../translators/openai.js";
import { endlessServer, libreTranslateServer, openAIServer, shout } from "../../translators/testing.js";
import type { Translator } from "../../translators/translator.js";
import type { Ctx } from "../../trpc.js";
import { followAll } from "./jobs.js";
import { abandon, translate } from "./run.js";

const t = await contentTest();
const openAI = await openAIServer();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
beforeEach(() => {
  openAI.requests.length = 0;
  openAI.behaviour.failures = [];
  openAI.behaviour.translate = (texts) => texts.map(shout);
});
afterAll(async () => {
  await openAI.close();
  await t.drop();
});

const admin = t.as({ acme: "admin" });
const organizationId = "acme";
const translator = openAITranslator({ url: openAI.url, model: "any", pauseMs: 1 });
const never = new AbortController().signal;

type Changes = Parameters<typeof admin.changeRequests.edit>[0]["changes"];
async function edit(spaceId: string, changes: Changes) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
}
const page = (title: string, markdown: string) => ({
  operation: "insert_page" as const,
  title,
  document: { markdown },
});

interface Shown {
  id: string;
  title: string;
  slug?: string;
  description?: string;
}

/** A space with two pages, its translation, and what a run makes of it. */
async function translated() {
  const source = await t.space({ title: "Handbook" });
  await edit(source, [
    page(
      "Start here",
      "First words.\n\nRun `npm start` **now**, see [more](more.md).\n\n```\ncode words\n```\n",
    ),
    { ...page("More", "Second words.\n"), description: "About more" },
  ]);
  const { id } = await admin.translations.create({
    organizationId,
    source: { space: source, language: "en" },
    language: "de",
  });
  const one = { organizationId, translationId: id };
  const run = async (over: Partial<Ctx> = {}) => {
    await translate({ ...t.ctx, translator, ...over }, id, never);
    return admin.translations.get(one);
  };
  const pagesOf = async (spaceId: string) => (await admin.content.pages({ spaceId })).pages as Shown[];
  const markdown = async (spaceId: string, pageId: string) => {
    const shown = await admin.content.page({ spaceId, pageId, format: "markdown" });
    return (shown as { markdown: string }).markdown;
  };
  return { id, one, source, run, pagesOf, markdown };
}

test("a run makes a space of the same pages in the other language; code, links and slugs stay", async () => {
  const { run, source, pagesOf, markdown } = await translated();
  const { status, result, error, stats } = await run();
  expect([status, error]).toEqual(["completed", undefined]);
  expect(stats).toMatchObject({ runs: 1, latestPages: 2, totalPages: 2 });
  expect(stats.totalWords).toBeGreaterThan(8);
  const space = await admin.spaces.get({ spaceId: result!.space });
  expect(space).toMatchObject({
    title: "Handbook (de)",
    language: "de",
    editMode: "locked",
    revision: result!.revision,
  });
  const [before, after] = [await pagesOf(source), await pagesOf(result!.space)];
  expect(after.map(({ id, slug }) => [id, slug])).toEqual(before.map(({ id, slug }) => [id, slug]));
  expect(after.map(({ title }) => title)).toEqual(["START HERE", "MORE"]);
  expect(after[1]).toMatchObject({ description: "ABOUT MORE" });
  const text = await markdown(result!.space, after[0]!.id);
  for (const expected of ["FIRST WORDS.", "RUN `npm start` **NOW**, SEE [MORE](more.md).", "code words"])
    expect(text).toContain(expected);
  const { items } = await admin.links.list({ spaceId: result!.space, status: "broken" });
  expect(items).toEqual([]);
});

test("a run sends only what changed since the last one, and makes no revision of nothing", async () => {
  const { run, source, pagesOf, markdown } = await translated();
  const first = await run();
  openAI.requests.length = 0;
  const second = await run();
  expect(openAI.requests).toEqual([]);
  expect(second.result).toEqual(first.result);
  expect(second.stats).toMatchObject({ runs: 2, latestPages: 0, latestWords: 0 });
  const [start] = await pagesOf(source);
  const changed = (await markdown(source, start!.id)).replace("First words.", "Other words.");
  await edit(source, [{ operation: "update_page", page: start!.id, document: { markdown: changed } }]);
  const third = await run();
  expect(openAI.texts()).toEqual(["Other words."]);
  expect(third.stats).toMatchObject({ runs: 3, latestPages: 1, latestWords: 2 });
  expect(await markdown(third.result!.space, start!.id)).toContain("OTHER WORDS.");
});

test("a page that is gone goes, a new one comes, files and variables are there", async () => {
  const { run, source, pagesOf } = await translated();
  await run();
  const [start] = await pagesOf(source);
  await edit(source, [{ operation: "delete_page", page: start!.id }, page("Third", "Third words.\n")]);
  const { result } = await run();
  expect((await pagesOf(result!.space)).map(({ title }) => title)).toEqual(["MORE", "THIRD"]);
});

test("another glossary and other instructions have everything translated again, by their words", async () => {
  const { run, one } = await translated();
  await run();
  openAI.requests.length = 0;
  await admin.translationsGlossary.update({
    organizationId,
    operations: [
      { type: "insert", translations: { en: "words", de: "Wörter" } },
      { type: "insert", translations: { en: "nowhere", de: "nirgends" } },
      { type: "insert", translations: { fr: "mots", ja: "言葉" } },
    ],
  });
  const { stats } = await run();
  expect(stats.latestPages).toBe(2);
  const [{ body }] = openAI.requests as [(typeof openAI.requests)[number]];
  expect(body.messages[0].content).toContain('- "words": "Wörter"');
  expect(body.messages[0].content).not.toContain("nirgends");
  const leaves = [{ object: "leaf", text: "Be formal.", marks: [] }];
  const nodes = [{ object: "block", type: "paragraph", nodes: [{ object: "text", leaves }] }];
  await admin.translations.update({ ...one, instructions: { object: "document", data: {}, nodes } });
  await run();
  expect(openAI.requests.at(-1)!.body.messages[0].content).toContain("Be formal.");
});

test("without a provider a run ends at once with NO_PROVIDER, and creates nothing", async () => {
  const { run } = await translated();
  const before = await t.db.selectFrom("space").select("id").execute();
  const { status, error, result } = await run({ translator: undefined });
  expect([status, error?.code, result]).toEqual(["pending", "NO_PROVIDER", undefined]);
  expect(await t.db.selectFrom("space").select("id").execute()).toEqual(before);
  expect((await run()).error).toBeUndefined();
});

test.each([
  ["silent", "The provider did not respond in time"],
  ["dripping", "The provider did not respond in time"],
  ["flooding", "The provider responded with too much"],
] as const)(
  "a provider that is %s ends the run with PROVIDER_ERROR, and the next run goes on",
  async (way, message) => {
    const { run, source, pagesOf } = await translated();
    const { result } = await run();
    await edit(source, [page("New", "New words.\n")]);
    const server = await endlessServer(way);
    const responseMs = way === "flooding" ? 60_000 : 200;
    const failed = await run({
      translator: openAITranslator({ url: server.url, model: "any", pauseMs: 1, responseMs }),
    });
    expect(failed).toMatchObject({ status: "completed", error: { code: "PROVIDER_ERROR", message }, result });
    expect(await pagesOf(result!.space)).toHaveLength(2);
    await server.close();
    expect((await run()).error).toBeUndefined();
    expect(await pagesOf(result!.space)).toHaveLength(3);
  },
);

test("a provider that fails leaves the space as it was, and what it did before is not sent again", async () => {
  const { run, source, pagesOf } = await translated();
  const { result } = await run();
  await edit(
    source,
    Array.from({ length: 30 }, (_, at) => page(`New ${at}`, `Words of page ${at}.\n`)),
  );
  openAI.requests.length = 0;
  const translateAll = openAI.behaviour.translate;
  openAI.behaviour.translate = (texts) => {
    if (openAI.requests.length > 10)
      openAI.behaviour.failures = Array.from({ length: 4 }, () => ({ status: 500, body: {} }));
    return translateAll(texts);
  };
  const failed = await run();
  expect(failed).toMatchObject({ status: "completed", error: { code: "PROVIDER_ERROR" }, result });
  expect(await pagesOf(result!.space)).toHaveLength(2);
  openAI.behaviour.translate = translateAll;
  openAI.behaviour.failures = [];
  const sent = openAI.texts().slice(0, 10);
  openAI.requests.length = 0;
  const { error } = await run();
  expect(error).toBeUndefined();
  expect(openAI.texts().filter((text) => sent.includes(text))).toEqual([]);
  expect(await pagesOf(result!.space)).toHaveLength(32);
});

test("a translation that lost a tag is requested alone, and in the end left out", async () => {
  const { run, pagesOf, markdown } = await translated();
  openAI.behaviour.translate = (texts) => texts.map((text) => shout(text).replace(/<x\d+\/>/, ""));
  const { result, status } = await run();
  expect(status).toBe("completed");
  const [start] = await pagesOf(result!.space);
  const text = await markdown(result!.space, start!.id);
  expect(text).toContain("Run `npm start` **now**");
  expect(text).toContain("FIRST WORDS.");
});

test("a source space that is gone is an error; a result that was deleted is made anew", async () => {
  const { run, source } = await translated();
  const { result } = await run();
  await admin.spaces.remove({ spaceId: result!.space });
  const again = await run();
  expect(again.result!.space).not.toBe(result!.space);
  await admin.spaces.remove({ spaceId: source });
  expect(await run()).toMatchObject({ error: { code: "SOURCE_NOT_FOUND" }, result: again.result });
});

/** A provider before whose first translation a space goes to another organization. */
function whileTransferred(spaceId: string): Translator {
  let isGone = false;
  return {
    translate: async (request, signal) => {
      const both = t.as({ acme: "admin", beta: "admin" });
      if (!isGone) await both.spaces.transfer({ spaceId, organization: "beta" });
      isGone = true;
      return translator.translate(request, signal);
    },
  };
}
const owner = t.as({ beta: "admin" });

test("a run writes nothing when its source is transferred meanwhile", async () => {
  const { run, source, one } = await translated();
  const shown = await run({ translator: whileTransferred(source) });
  expect(shown).toMatchObject({ status: "pending", error: { code: "SOURCE_NOT_FOUND" } });
  const { result_space } = await t.db
    .selectFrom("translation")
    .select("result_space")
    .where("id", "=", one.translationId)
    .executeTakeFirstOrThrow();
  expect((await admin.content.pages({ spaceId: result_space! })).pages).toEqual([]);
});

test("a run writes nothing into a result that is transferred meanwhile, and the next one makes another", async () => {
  const { run, source } = await translated();
  const { space: spaceId } = (await run()).result!;
  const { id: before } = await admin.content.revision({ spaceId });
  await edit(source, [page("New", "Third words.\n")]);
  const shown = await run({ translator: whileTransferred(spaceId) });
  expect(shown).toMatchObject({ error: { code: "FAILED" } });
  expect((await owner.content.revision({ spaceId })).id).toBe(before);
  const again = await run();
  expect(again.error).toBeUndefined();
  expect(again.result!.space).not.toBe(spaceId);
});

test("a LibreTranslate server does as well", async () => {
  const libre = await libreTranslateServer();
  const { run, pagesOf, markdown } = await translated();
  const { result } = await run({
    translator: libreTranslator({ url: libre.url, key: "secret", pauseMs: 1 }),
  });
  const [start] = await pagesOf(result!.space);
  expect(await markdown(result!.space, start!.id)).toContain("RUN `npm start` **NOW**, SEE [MORE](more.md).");
  await libre.close();
});

test("a translation follows its source once it ran, and only with a provider", async () => {
  const { id, run, source, pagesOf } = await translated();
  await run();
  await t.db.deleteFrom("translation").where("id", "<>", id).execute();
  const waiting = () => findJob(t, { key: `translations.run ${id}` });
  await followAll({ ...t.ctx, translator });
  expect(await waiting()).toBeUndefined();
  await edit(source, [{ operation: "delete_page", page: (await pagesOf(source))[0]!.id }]);
  await followAll({ ...t.ctx, translator: undefined });
  expect(await waiting()).toBeUndefined();
  await followAll({ ...t.ctx, translator });
  expect(await waiting()).toMatchObject({ state: "waiting" });
});

test("a stop leaves the run to be done again; an abandoned run has an error code", async () => {
  const { id, one } = await translated();
  const stopped = translate({ ...t.ctx, translator }, id, AbortSignal.abort(new Error("stopping")));
  await expect(stopped).rejects.toThrow("stopping");
  expect(await admin.translations.get(one)).toMatchObject({ status: "running" });
  await abandon(t.ctx, id);
  expect(await admin.translations.get(one)).toMatchObject({ status: "pending", error: { code: "FAILED" } });
});
