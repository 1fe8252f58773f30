import { SpaceTransferred } from "@octavo/shared/contracts/events/content";
import { deliver } from "@octavo/shared/testing/emitted";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../events/listeners.js";
import type { Scope } from "../schemas/manifest.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { moduleOf } from "../testing/scripts.js";
import { computeContent, recompute } from "./compute.js";
import { forget } from "./forget.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations({ timeoutMs: 2_000 });
  acme = home.orgs.add();
});
afterAll(() => home.end());

const SCRIPT = moduleOf(`
  const document = { object: "document", data: {}, nodes: [] };
  if (event.type === "content_compute_revision") {
    if (event.sourceId === "rubbish") return new Response("rubbish");
    if (event.sourceId === "throws") throw new Error("no such pets");
    if (event.sourceId === "silent") await new Promise(() => setTimeout(() => {}, 60000));
    const page = (n) => ({ type: "document", id: "p" + n, title: "Page " + n,
      computed: { type: "integration:" + event.props.name + ":" + event.sourceId, props: { n } } });
    if (event.sourceId === "files") return Response.json({ pages: [page(1)], files: event.props.files });
    if (event.sourceId === "many") return Response.json({ pages: Array.from({ length: 301 },
      (_, n) => ({ type: "document", title: "Page " + n })) });
    if (event.sourceId === "large") return Response.json({ pages: Array.from({ length: 30 },
      (_, n) => ({ type: "document", title: "Page", markdown: "x".repeat(199000) })) });
    const deep = (n) => ({ type: "group", title: "G", pages: n ? [deep(n - 1)] : [] });
    if (event.sourceId === "deep") return Response.json({ pages: [deep(20)] });
    return Response.json({ pages: [{ ...page(1), pages: [page(2)] },
      { type: "link", title: "Out", target: {} }, { type: "document", title: "" }, 7] });
  }
  if (event.type === "content_compute_document") return Response.json({ document: { ...document, data: event.props } });
  return new Response("OK");`);

const IDS = ["good", "rubbish", "throws", "silent", "many", "large", "deep", "files"];

async function spaceWith(
  sourceIds: string[],
  scopes: Scope[] = ["space:content:write"],
  more: Record<string, unknown> = {},
) {
  const { call } = await home.as({ [acme]: "create" });
  const contentSources = IDS.map((id) => ({ id, title: "Model", configuration: { componentId: "form" } }));
  const input = publication({ organization: acme, script: SCRIPT, contentSources, scopes });
  const { integrationName: name } = input;
  await call.integrations.publish(input);
  const { id } = await call.installations.install({ integrationName: name, organization: acme });
  const space = home.content.space(acme);
  const wanted = sourceIds.map((id) => ({
    key: `${space} ${id}`,
    inputs: "i",
    type: `integration:${name}:${id}`,
    props: { name, ...more },
    dependencies: {},
  }));
  home.content.computed.wanted.set(space, wanted);
  return { call, name, space, id };
}

const compute = (space?: string) =>
  computeContent(home.ownContext(), { organization: acme, space }, new AbortController().signal);
const filledIn = (space: string) => home.content.computed.filled.filter(({ spaceId }) => spaceId === space);

/** What was recorded of an installation's sources: the status, and the log. */
async function recorded(installation: string) {
  const rows = await home.db
    .selectFrom("event")
    .select(["payload", "status", "logs"])
    .where("installation", "=", installation)
    .orderBy("id")
    .execute();
  return rows
    .filter(({ payload }) => payload.type === "content_compute_revision")
    .map(({ payload, status, logs }) => [
      (payload as { sourceId: string }).sourceId,
      status,
      logs?.map(({ message }) => message).join("; "),
    ]);
}

test("what a script makes of a source is handed to content, each page with its document, and once", async () => {
  const { name, space, id: installation } = await spaceWith(["good"]);
  await compute(space);
  const computed = (n: number) => ({ type: `integration:${name}:good`, props: { n } });
  const page = (n: number) => ({
    type: "document",
    id: `p${n}`,
    title: `Page ${n}`,
    computed: computed(n),
    document: { object: "document", data: { n }, nodes: [] },
  });
  const by = { integration: name, installation, organization: acme };
  const pages = [{ ...page(1), pages: [{ ...page(2), pages: [] }] }];
  expect(filledIn(space)).toEqual([
    { spaceId: space, key: `${space} good`, inputs: "i", pages, files: [], by },
  ]);
  await compute(space);
  expect(filledIn(space)).toHaveLength(1);
});

test.each([
  ["rubbish", "did not respond with content"],
  ["throws", "no such pets"],
  ["silent", "did not respond within 2 s"],
  ["many", "more than 300 pages"],
  ["large", "more than 4194304 bytes"],
  ["deep", "more than 8 levels"],
])(
  "a source that is %s stores nothing, its event has the reason, and the ones beside it are computed",
  async (id, why) => {
    const { space, id: installation } = await spaceWith([id, "good"]);
    await compute(space);
    expect(filledIn(space).map(({ key }) => key)).toEqual([`${space} good`]);
    const [failed, good] = await recorded(installation);
    expect(failed).toEqual([id, "failed", expect.stringContaining(why)]);
    expect(good!.slice(0, 2)).toEqual(["good", "success"]);
  },
);

const file = (name: string, size = 9) => ({
  id: `id of ${name}`,
  name,
  contentType: "image/png",
  size,
  downloadURL: `https://files.example.com/${name}`,
});

test("the files of a source are fetched by content and handed on, and what cannot be had is named in the log of the event", async () => {
  const files = [
    file("cat.png"),
    { ...file("dog.png"), id: undefined },
    file("gone.png"),
    file("full.png"),
    { ...file("bad.png"), size: -1 },
    file("large.mp4", 200 * 1024 * 1024),
  ];
  home.content.computed.full.add("full.png");
  const { space, id, name } = await spaceWith(["files"], undefined, { files });
  await compute(space);
  const by = { integration: name, installation: id, organization: acme };
  const received = home.content.computed.received.filter(({ spaceId }) => spaceId === space);
  const { id: _, ...announced } = file("cat.png");
  expect(received[0]).toEqual({ spaceId: space, by, file: announced });
  expect(received.map(({ file }) => file.name)).toEqual(["cat.png", "dog.png", "gone.png", "full.png"]);
  const [{ files: kept, pages } = { files: [], pages: [] }] = filledIn(space);
  expect(kept.map(({ id, name }) => [id, name])).toEqual([
    ["id of cat.png", "cat.png"],
    [undefined, "dog.png"],
    ["id of full.png", "full.png"],
  ]);
  expect(pages).toHaveLength(1);
  const [[, status, log] = []] = await recorded(id);
  expect(status).toBe("success");
  for (const words of [
    "left out: gone.png: File: 404 from the address",
    "left out: files.4: size is not as it has to be",
    "left out: large.mp4: the files of the source have more than 209715200 bytes",
    "left out: full.png: the files of all sources of the space are too large",
  ])
    expect(log).toContain(words);
});

test("of more than fifty files of a source the first fifty are taken", async () => {
  const files = Array.from({ length: 52 }, (_, n) => file(`${n}.png`));
  const { space, id } = await spaceWith(["files"], undefined, { files });
  await compute(space);
  expect(filledIn(space)[0]!.files).toHaveLength(50);
  expect((await recorded(id))[0]![2]).toContain("2 more than 50 files");
});

test("pages that content refuses are recorded as a failure", async () => {
  const { space, id } = await spaceWith(["good"]);
  home.content.computed.refuse(space);
  await compute(space);
  expect(filledIn(space)).toEqual([]);
  expect(await recorded(id)).toEqual([["good", "failed", expect.stringContaining("cannot be shown")]]);
});

test("without the scope to write content nothing is computed, nor by an installation that ended or was paused", async () => {
  const reading = await spaceWith(["good"], ["space:content:read"]);
  await compute(reading.space);
  const ended = await spaceWith(["good"]);
  await ended.call.installations.uninstall({ integrationName: ended.name, installationId: ended.id });
  await compute(ended.space);
  for (const { space, id } of [reading, ended]) {
    expect(filledIn(space)).toEqual([]);
    expect(await recorded(id)).toEqual([]);
  }
});

test("what an integration computed is shown no more where it has ended, and stays where it is installed again", async () => {
  const forgottenIn = (space: string) =>
    home.content.computed.forgotten.filter((one) => one.spaceId === space);
  const { call, name, space, id: installation } = await spaceWith(["good"]);
  const { integration } = await home.db
    .selectFrom("installation")
    .select("integration")
    .where("id", "=", installation)
    .executeTakeFirstOrThrow();
  const about = { integration, name, installation, organization: acme };
  await forget(home.ownContext(), { ...about, space });
  expect(forgottenIn(space)).toEqual([]);
  await call.installations.uninstall({ integrationName: name, installationId: installation });
  const { rows } = await sql<{ payload: { payload: object } }>`select payload from _private_jobs as job
    join _private_tasks as task on task.id = job.task_id where identifier = 'sources.forget'`.execute(
    home.db,
  );
  expect(rows.map(({ payload }) => payload.payload)).toContainEqual(about);
  await forget(home.ownContext(), about);
  const by = { integration: name, installation, organization: acme };
  expect(forgottenIn(space)).toEqual([{ spaceId: space, by }]);
});

test("a new version of an integration has each organization computed anew in which it is active", async () => {
  const { name, space } = await spaceWith(["good"]);
  const { id } = await home.db
    .selectFrom("integration")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  expect(await home.queued(`sources ${id}`)).toBeDefined();
  await recompute(home.ownContext(), { integration: id });
  expect(await home.queued(`sources:${acme} `)).toBeDefined();
  await compute();
  expect(await home.queued(`sources:${acme} ${space}`)).toBeDefined();
});

test("a space that came from another organization is computed by the integrations of the new one", async () => {
  const { space } = await spaceWith(["good"]);
  const job = `sources:${acme} ${space}`;
  expect(await home.queued(job)).toBeUndefined();
  const moved = { space, from: home.orgs.add(), to: acme };
  await deliver(home.ownContext(), listeners, SpaceTransferred, space, moved);
  expect(await home.queued(job)).toBeDefined();
});
