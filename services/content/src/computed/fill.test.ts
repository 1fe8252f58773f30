import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { ContentUpdated } from "@octavo/shared/contracts/events/content";
import { emitted } from "@octavo/shared/testing/emitted";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());
const organizationId = "acme";
const admin = t.as({ acme: "admin" });
const integrations = t.call({ kind: "service", service: "integrations" });

const SOURCE = { type: "integration:models:pets", props: { kind: "cat" } };
const document = (words: string) => ({
  object: "document" as const,
  data: {},
  nodes: [{ object: "block" as const, type: "paragraph", nodes: [textNode(words)] }],
});
const textNode = (text: string) => ({
  object: "text" as const,
  leaves: [{ object: "leaf" as const, text, marks: [] }],
});
const page = (id: string, title: string, words: string) => ({
  type: "document" as const,
  id,
  title,
  document: document(words),
  pages: [],
  computed: { type: SOURCE.type, props: { id } },
});

const BY = { integration: "models", installation: "i1", organization: organizationId };

const spaceOf = async (source: object = SOURCE) =>
  (await admin.spaces.create({ organizationId, computedSource: source as never })).id;
const wantedIn = (spaceId: string, version = 1) =>
  integrations.computed.wanted({ spaceId, versions: { models: version } });
const titles = async (spaceId: string, revisionId?: string) => {
  const { pages } = revisionId
    ? await admin.revisionContent.pages({ spaceId, revisionId })
    : await admin.content.pages({ spaceId });
  return pages.map(({ type, title }) => [type, title]);
};

async function fill(spaceId: string, pages: ReturnType<typeof page>[]) {
  const [one] = await wantedIn(spaceId);
  const { key, inputs } = one!;
  await integrations.computed.fill({ spaceId, key, inputs, pages: pages as never, by: BY });
}

test("pages of an integration are as they are declared until it has computed them, and then shown by a revision", async () => {
  const spaceId = await spaceOf();
  expect(await titles(spaceId)).toEqual([["computed", "Computed pages"]]);
  const { revision: before } = await admin.spaces.get({ spaceId });
  expect(await wantedIn(spaceId)).toMatchObject([{ ...SOURCE, dependencies: {} }]);
  expect(await integrations.computed.spacesOf({ organizationId })).toContain(spaceId);

  await fill(spaceId, [page("a", "Cats", "All about cats."), page("b", "Dogs", "Some dogs.")]);
  expect(await wantedIn(spaceId)).toEqual([]);
  expect(await titles(spaceId)).toEqual([
    ["document", "Cats"],
    ["document", "Dogs"],
  ]);
  const cats = await admin.content.pageAtPath({ spaceId, pagePath: "cats" });
  expect((cats as { markdown: string }).markdown).toContain("All about cats.");
  expect(cats).toMatchObject({ computed: { type: SOURCE.type, props: { id: "a" } } });
  expect((await admin.spaces.get({ spaceId })).revision).not.toBe(before);
  expect(await titles(spaceId, before)).toEqual([["computed", "Computed pages"]]);
  const entries = (await emitted(t, AuditRecorded)).filter(({ target }) => target.id === spaceId);
  expect(entries.find(({ action }) => action === "space.compute")).toMatchObject({
    actor: { type: "integration", id: "models" },
    details: { installation: "i1", pages: 2 },
  });
  // Another version of the script computes them anew, and pages keep their ids.
  expect(await wantedIn(spaceId, 2)).toHaveLength(1);
  expect(await integrations.computed.wanted({ spaceId, versions: { other: 1 } })).toEqual([]);
});

test("what an integration computed is shown no more once it has ended, but by earlier revisions, and is computed anew", async () => {
  const spaceId = await spaceOf();
  await fill(spaceId, [page("a", "Cats", "All about cats.")]);
  const { revision: before } = await admin.spaces.get({ spaceId });
  // Of another integration, or of another organization, nothing ends.
  await integrations.computed.forget({ spaceId, by: { ...BY, integration: "other" } });
  await integrations.computed.forget({ spaceId, by: { ...BY, organization: "beta" } });
  expect((await admin.spaces.get({ spaceId })).revision).toBe(before);
  await integrations.computed.forget({ spaceId, by: BY });
  expect(await titles(spaceId)).toEqual([["computed", "Computed pages"]]);
  expect(await titles(spaceId, before)).toEqual([["document", "Cats"]]);
  const { revision: after } = await admin.spaces.get({ spaceId });
  expect(after).not.toBe(before);
  await integrations.computed.forget({ spaceId, by: BY });
  expect((await admin.spaces.get({ spaceId })).revision).toBe(after);
  expect(await wantedIn(spaceId)).toHaveLength(1);
  await fill(spaceId, [page("a", "Dogs", "Some dogs.")]);
  expect(await titles(spaceId)).toEqual([["document", "Dogs"]]);
  await expect(admin.computed.forget({ spaceId, by: BY })).rejects.toThrow();
});

test("pages with equal ids, or none, get ids of their own", async () => {
  const spaceId = await spaceOf();
  await fill(spaceId, [page("a", "Cats", "x"), page("a", "Cats", "y"), page("a/b", "Dogs", "z")]);
  const { pages } = await admin.content.pages({ spaceId });
  expect(new Set(pages.map(({ id }) => id)).size).toBe(3);
});

test("the dependencies of a source have their current values, and a change queues it again; the last result stays", async () => {
  const other = await t.space();
  const spec = { ref: { kind: "openapi", spec: "none" } };
  const space = { ref: { kind: "space", space: other } };
  const spaceId = await spaceOf({ ...SOURCE, dependencies: { spec, space } });
  const { revision } = await admin.spaces.get({ spaceId: other });
  expect((await wantedIn(spaceId))[0]!.dependencies).toEqual({
    spec: { ...spec, value: null },
    space: { ...space, value: { object: "space", id: other, revision } },
  });
  await fill(spaceId, [page("a", "Cats", "x")]);
  expect(await wantedIn(spaceId)).toEqual([]);
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId: other });
  const insert = { operation: "insert_page" as const, title: "New", document: { markdown: "x\n" } };
  await admin.changeRequests.edit({ spaceId: other, changeRequestId, changes: [insert] });
  await admin.changeRequests.merge({ spaceId: other, changeRequestId });
  expect(await wantedIn(spaceId)).toHaveLength(1);
  expect(await titles(spaceId)).toEqual([["document", "Cats"]]);
});

test("a source that depends on its own space, or on another organization's, settles", async () => {
  const foreign = await t.space({ organization: "beta" });
  const at = await spaceOf({ ...SOURCE, dependencies: { it: { ref: { kind: "space", space: foreign } } } });
  expect((await wantedIn(at))[0]!.dependencies).toMatchObject({ it: { value: null } });

  const spaceId = await t.space();
  const dependencies = { own: { ref: { kind: "space" as const, space: spaceId } } };
  const source = { ...SOURCE, dependencies };
  await expect(admin.computed.revision({ spaceId, source, seed: "s" })).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  });
  await fill(spaceId, [page("a", "Cats", "x")]);
  expect(await wantedIn(spaceId)).toEqual([]);
});

test("POST …/content/computed/revision queues a source once, is 503 until it is computed, and then returns its pages", async () => {
  const spaceId = await t.space();
  const input = { spaceId, source: SOURCE, seed: "s" };
  const pending = { code: "SERVICE_UNAVAILABLE" };
  await expect(admin.computed.revision(input)).rejects.toMatchObject(pending);
  await expect(admin.computed.revision(input)).rejects.toMatchObject(pending);
  expect(await wantedIn(spaceId)).toHaveLength(1);
  expect(await t.emitted("content.computed.asked")).toContainEqual({ space: spaceId, organization: "acme" });
  const { revision } = await admin.spaces.get({ spaceId });
  await fill(spaceId, [page("a", "Cats", "All about cats.")]);
  expect((await admin.computed.revision(input)).pages).toMatchObject([{ title: "Cats", path: "cats" }]);
  const source = { type: SOURCE.type, props: { id: "a" } };
  const { nodes } = await admin.computed.document({ spaceId, source, seed: "s" });
  expect(JSON.stringify(nodes)).toContain("All about cats.");
  await expect(
    admin.computed.document({ spaceId, source: { ...source, props: { id: "z" } }, seed: "s" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  // No page declares it, so nothing of the space has changed.
  expect((await admin.spaces.get({ spaceId })).revision).toBe(revision);

  for (let n = 0; n < 19; n++)
    await expect(
      admin.computed.revision({ ...input, source: { ...SOURCE, props: { n } } }),
    ).rejects.toMatchObject(pending);
  await expect(
    admin.computed.revision({ ...input, source: { ...SOURCE, props: { n: 20 } } }),
  ).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
});

test("only integrations read what is wanted and store results; a broken document changes nothing", async () => {
  const spaceId = await spaceOf();
  const forbidden = { code: "FORBIDDEN" };
  for (const call of [admin, t.call({ kind: "service", service: "sites" })]) {
    await expect(call.computed.wanted({ spaceId, versions: {} })).rejects.toMatchObject(forbidden);
    const nothing = { spaceId, key: "k", inputs: "i", pages: [], by: BY };
    await expect(call.computed.fill(nothing)).rejects.toMatchObject(forbidden);
  }
  const broken = {
    ...page("a", "Cats", "x"),
    document: { object: "document", data: {}, nodes: [{ object: "block", nodes: 7 }] },
  };
  await expect(fill(spaceId, [broken as never])).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const [{ key, inputs } = { key: "", inputs: "" }] = await wantedIn(spaceId);
  const moved = { spaceId, key, inputs, pages: [], by: { ...BY, organization: "beta" } };
  await expect(integrations.computed.fill(moved)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await titles(spaceId)).toEqual([["computed", "Computed pages"]]);
  expect(await wantedIn("none")).toEqual([]);
});

test("a space that goes to another organization shows nothing more of what integrations computed, and is computed anew", async () => {
  const spaceId = await spaceOf();
  await fill(spaceId, [page("a", "Cats", "x")]);
  const other = { ...SOURCE, props: { kind: "dog" } };
  const asked = { spaceId, source: other as typeof SOURCE, seed: "s" };
  const pending = { code: "SERVICE_UNAVAILABLE" };
  await expect(admin.computed.revision(asked)).rejects.toMatchObject(pending);
  await fill(spaceId, [page("b", "Dogs", "y")]);
  expect((await admin.computed.revision(asked)).pages).toHaveLength(1);
  const { revision } = await admin.spaces.get({ spaceId });
  const both = t.as({ acme: "admin", beta: "admin" });
  await both.spaces.transfer({ spaceId, organization: "beta" });
  expect((await both.content.pages({ spaceId })).pages).toMatchObject([{ type: "computed" }]);
  const before = await both.revisionContent.pages({ spaceId, revisionId: revision });
  expect(before.pages).toMatchObject([{ title: "Cats" }]);
  // What the old owner's people asked for is computed no more.
  expect(await wantedIn(spaceId)).toHaveLength(1);
  await expect(both.computed.revision(asked)).rejects.toMatchObject(pending);
  const { revision: after } = await both.spaces.get({ spaceId });
  const updated = { space: spaceId, organization: "beta", revision: after };
  expect(await t.emitted(ContentUpdated.name)).toContainEqual(updated);
  const [{ key, inputs } = { key: "", inputs: "" }] = await wantedIn(spaceId);
  const late = { spaceId, key, inputs, pages: [] };
  await expect(integrations.computed.fill({ ...late, by: BY })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const pages = [page("c", "Birds", "z")] as never;
  await integrations.computed.fill({ ...late, pages, by: { ...BY, organization: "beta" } });
  expect((await both.content.pages({ spaceId })).pages).toMatchObject([{ title: "Birds" }]);
});

test("a space without computed pages is transferred without a revision", async () => {
  const spaceId = await t.space();
  const { revision } = await admin.spaces.get({ spaceId });
  const both = t.as({ acme: "admin", beta: "admin" });
  await both.spaces.transfer({ spaceId, organization: "beta" });
  expect((await both.spaces.get({ spaceId })).revision).toBe(revision);
});
