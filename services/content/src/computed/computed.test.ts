import { prepareQueue } from "@octavo/shared/jobs/queue";
import { findJob } from "@octavo/shared/testing/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processSource } from "../specs/processing/process.js";
import { operation } from "../specs/testing.js";
import { contentTest } from "../testing/content.js";
import { follow, showAnew } from "./jobs.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(() => t.drop());
const organizationId = "acme";
const admin = t.as({ acme: "admin" });

let slugs = 0;
const tagged = (tag: string, summary: string) => ({ ...operation, tags: [tag], summary });
const PATHS = {
  "/pets": { get: tagged("Pets", "List pets"), post: tagged("Pets", "Add a pet") },
  "/users": { get: tagged("Users", "List users") },
  "/health": { get: { ...operation } },
};

/** A specification with these paths; `become` makes another version of it. */
async function specOf(paths: object = PATHS) {
  const specSlug = `pets-${++slugs}`;
  const become = async (paths: object) => {
    const document = {
      openapi: "3.0.3",
      info: { title: "Pets", version: "1" },
      paths,
      tags: [{ name: "Users" }, { name: "Pets", description: "All *about* pets." }],
      components: { schemas: { Pet: { type: "object" }, Cat: { type: "object" } } },
    };
    const source = { text: JSON.stringify(document) };
    const { id } = await admin.openapi.createOrUpdate({ organizationId, specSlug, source });
    await processSource(t.ctx, id, new AbortController().signal);
  };
  await become(paths);
  return { specSlug, become };
}

const sourceOf = (spec: string, props: { models?: boolean; grouping?: "by-operation" } = {}) => ({
  type: "builtin:openapi" as const,
  props,
  dependencies: { spec: { ref: { kind: "openapi" as const, spec } } },
});

async function spaceOf(spec: string, props = {}) {
  const { id } = await admin.spaces.create({ organizationId, computedSource: sourceOf(spec, props) });
  return id;
}

interface Shown {
  id: string;
  type: string;
  title: string;
  path?: string;
  pages?: Shown[];
}
const outline = (pages: Shown[]): unknown[] =>
  pages.map(({ title, path, pages = [] }) => (pages.length ? [title, path, outline(pages)] : [title, path]));
const treeOf = async (spaceId: string) => outline((await admin.content.pages({ spaceId })).pages as Shown[]);

test("a space that is computed from a specification shows a page for each of its tags, which all reads find", async () => {
  const { specSlug } = await specOf();
  const spaceId = await spaceOf(specSlug, { models: true });
  const { pages } = await admin.content.pages({ spaceId });
  expect(outline(pages as Shown[])).toEqual([
    ["Users", "users"],
    ["Pets", "pets"],
    ["Other", "other"],
    ["Models", "models"],
  ]);
  const page = pages[1]!;
  expect(page).toMatchObject({
    computed: {
      type: "builtin:openapi",
      props: { doc: "operations", page: "pets" },
      dependencies: { spec: { value: { object: "openapi-spec", slug: specSlug } } },
    },
    computedSeed: expect.any(String),
  });
  const byId = await admin.content.page({ spaceId, pageId: page.id });
  expect(byId).toMatchObject({ id: page.id, path: "pets", title: "Pets" });
  expect((byId as { markdown: string }).markdown).toContain("All *about* pets.");
  expect(await admin.content.pageAtPath({ spaceId, pagePath: "pets" })).toEqual(byId);
  const document = await admin.content.pageDocument({ spaceId, pageId: page.id });
  const types = document.nodes.map(({ type }) => type);
  expect(types.filter((type) => type === "openapi-operation")).toHaveLength(2);
  expect(await admin.content.page({ spaceId, pageId: page.id, format: "document" })).toMatchObject({
    document: { nodes: document.nodes },
  });
  const { pages: all } = await admin.content.revision({ spaceId });
  expect(all).toEqual(pages);

  const declared = await admin.content.pages({ spaceId, computed: false });
  expect(declared.pages).toMatchObject([
    { type: "computed", computed: sourceOf(specSlug, { models: true }) },
  ]);
  await expect(admin.content.page({ spaceId, pageId: "none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(admin.content.pageAtPath({ spaceId, pagePath: "pets/none" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("pages follow a new version of their specification, by a revision; what revisions showed before they go on to show", async () => {
  const { specSlug, become } = await specOf();
  const spaceId = await spaceOf(specSlug);
  const { revision } = await admin.spaces.get({ spaceId });
  const before = await admin.revisionContent.pages({ spaceId, revisionId: revision });

  await become({ ...PATHS, "/toys": { get: tagged("Toys", "List toys") } });
  expect(await treeOf(spaceId)).toEqual(outline(before.pages as Shown[]));
  const since = new Date().toISOString();
  await follow(t.ctx, { organization: organizationId, slug: specSlug });
  await showAnew(t.ctx, { space: spaceId, since });
  expect(await treeOf(spaceId)).toEqual([
    ["Users", "users"],
    ["Pets", "pets"],
    ["Toys", "toys"],
    ["Other", "other"],
  ]);
  const after = await admin.spaces.get({ spaceId });
  expect(after.revision).not.toBe(revision);
  expect(await admin.revisionContent.pages({ spaceId, revisionId: revision })).toEqual(before);
  const idOf = (pages: Shown[], title: string) => pages.find((page) => page.title === title)!.id;
  const { pages } = await admin.content.pages({ spaceId });
  expect(idOf(pages as Shown[], "Pets")).toBe(idOf(before.pages as Shown[], "Pets"));
});

test("a version has each space shown anew that depends on the specification, and no other", async () => {
  const { specSlug, become } = await specOf();
  const [one, two] = [await spaceOf(specSlug), await spaceOf(specSlug)];
  const other = await spaceOf((await specOf()).specSlug);
  await become({});
  await follow(t.ctx, { organization: organizationId, slug: specSlug });
  const isQueued = async (space: string) =>
    (await findJob({ db: t.ctx.db }, { key: `computed ${space}` })) !== undefined;
  expect([await isQueued(one), await isQueued(two), await isQueued(other)]).toEqual([true, true, false]);
});

test("grouped by operation, each has a page below that of its tag", async () => {
  const { specSlug } = await specOf();
  const spaceId = await spaceOf(specSlug, { grouping: "by-operation" });
  expect(await treeOf(spaceId)).toEqual([
    ["Users", "users", [["List users", "users/list-users"]]],
    [
      "Pets",
      "pets",
      [
        ["List pets", "pets/list-pets"],
        ["Add a pet", "pets/add-a-pet"],
      ],
    ],
    ["Other", "other", [["GET /health", "other/get-health"]]],
  ]);
  const page = await admin.content.pageAtPath({ spaceId, pagePath: "pets/add-a-pet" });
  expect(page).toMatchObject({ title: "Add a pet", path: "pets/add-a-pet" });
  const above = await admin.content.pageAtPath({ spaceId, pagePath: "pets" });
  expect((above as { pages: Shown[] }).pages.map(({ id }) => id)).toContain(page.id);
});

test("until its specification has a version a page stays as it is declared, and after that it is shown", async () => {
  const specSlug = `late-${++slugs}`;
  const spaceId = await spaceOf(specSlug);
  expect((await admin.content.pages({ spaceId })).pages).toMatchObject([{ type: "computed" }]);
  const source = {
    text: JSON.stringify({ openapi: "3.0.3", info: { title: "L", version: "1" }, paths: PATHS }),
  };
  const { id } = await admin.openapi.createOrUpdate({ organizationId, specSlug, source });
  await processSource(t.ctx, id, new AbortController().signal);
  await showAnew(t.ctx, { space: spaceId, since: new Date().toISOString() });
  expect(await treeOf(spaceId)).toEqual([
    ["Pets", "pets"],
    ["Users", "users"],
    ["Other", "other"],
  ]);
  await admin.openapi.remove({ organizationId, specSlug });
  await showAnew(t.ctx, { space: spaceId, since: new Date().toISOString() });
  expect((await admin.content.pages({ spaceId })).pages).toMatchObject([{ type: "computed" }]);
});

test("another organization's specification of the same name shows nothing", async () => {
  const { specSlug } = await specOf();
  const beta = t.as({ beta: "admin" });
  const { id: spaceId } = await beta.spaces.create({
    organizationId: "beta",
    computedSource: sourceOf(specSlug),
  });
  expect((await beta.content.pages({ spaceId })).pages).toMatchObject([{ type: "computed" }]);
});

test("operations of a computed page are shown to whoever reads it", async () => {
  const { specSlug } = await specOf();
  const spaceId = await spaceOf(specSlug);
  const { revision: revisionId } = await admin.spaces.get({ spaceId });
  const { id: pageId } = await admin.content.pageAtPath({ spaceId, pagePath: "users" });
  const { items } = await admin.shownOperations.ofPage({ spaceId, revisionId, pageId });
  expect(items).toMatchObject([{ spec: specSlug, path: "/users", method: "get" }]);
});

test("names that are equal, hostile or empty make pages with paths of their own", async () => {
  const hostile = '<script>alert(1)</script>\n{% include "x" %}';
  const { specSlug } = await specOf({
    '/a"b': { get: tagged("Same", hostile), put: tagged("Same", "") },
    "/c": { get: tagged("same", "Same"), put: tagged("same!", "Same") },
  });
  const spaceId = await spaceOf(specSlug, { grouping: "by-operation", models: true });
  const { pages } = await admin.content.pages({ spaceId });
  const paths: string[] = [];
  const collect = (all: Shown[]) => {
    for (const page of all) {
      paths.push(page.path!);
      collect(page.pages ?? []);
    }
  };
  collect(pages as Shown[]);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toHaveLength(8);
  for (const pagePath of paths) {
    const { id } = await admin.content.pageAtPath({ spaceId, pagePath });
    const { nodes } = await admin.content.pageDocument({ spaceId, pageId: id });
    expect(nodes.map(({ type }) => type)).not.toContain("reusable-content");
  }
});

test("POST …/content/computed/revision and …/document compute a source for who may see specifications", async () => {
  const { specSlug } = await specOf();
  const spaceId = await t.space();
  const source = sourceOf(specSlug, { models: true });
  const { pages, files } = await admin.computed.revision({ spaceId, source, seed: "s" });
  expect(outline(pages as Shown[])).toEqual([
    ["Users", "users"],
    ["Pets", "pets"],
    ["Other", "other"],
    ["Models", "models"],
  ]);
  expect(files).toEqual([]);
  const documentOf = async (props: object) =>
    (await admin.computed.document({ spaceId, seed: "s", source: { ...source, props } as never })).nodes.map(
      ({ type }) => type,
    );
  expect(await documentOf({ doc: "operations", page: "users" })).toContain("openapi-operation");
  expect(await documentOf({ doc: "operations", page: "pets/add-a-pet" })).toEqual(["openapi-operation"]);
  expect(await documentOf({ doc: "info", page: "pets" })).toEqual(["paragraph"]);
  expect(await documentOf({ doc: "models" })).toEqual(["openapi-schemas"]);

  const missing = { code: "NOT_FOUND" };
  await expect(documentOf({ doc: "operations", page: "none" })).rejects.toMatchObject(missing);
  await expect(
    admin.computed.revision({ spaceId, seed: "s", source: sourceOf("none") }),
  ).rejects.toMatchObject(missing);
  const stranger = t.as({ beta: "admin" });
  await expect(stranger.computed.revision({ spaceId, source, seed: "s" })).rejects.toMatchObject(missing);
  await expect(
    admin.computed.revision({ spaceId, seed: "s", source: { ...source, type: "builtin:other" } as never }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });

  const guest = t.as({ acme: null }, { id: "gus" });
  t.directory.member("acme", { user: "gus", role: null, teams: [] });
  await admin.spaceGrants.invite({ spaceId, users: ["gus"], role: "edit" } as never);
  await expect(guest.computed.revision({ spaceId, source, seed: "s" })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});
