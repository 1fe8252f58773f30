import { prepareQueue } from "@octavo/shared/jobs/queue";
import { operationsOf } from "@octavo/shared/rest/routes";
import { findJob } from "@octavo/shared/testing/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { textOf } from "../testing.js";
import { openapi } from "./router.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);

const creator = t.as({ acme: "create" });
const reader = t.as({ acme: "read" }, { id: "reader" });
const stranger = t.as({ beta: "admin" }, { id: "stranger" });
const organizationId = "acme";
const source = { text: textOf() };
let slugs = 0;
const created = async (given: { url?: string; text?: string } = source) => {
  const slug = `pets-${++slugs}`;
  return { slug, spec: await creator.openapi.create({ organizationId, slug, source: given }) };
};

test("a specification is created pending, private, with a job that processes it", async () => {
  const { slug, spec } = await created({ url: "https://api.example/openapi.yaml" });
  expect(spec).toMatchObject({
    object: "openapi-spec",
    slug,
    sourceURL: "https://api.example/openapi.yaml",
    processingState: "pending",
    visibility: "private",
    permissions: { view: true, edit: true },
    urls: { location: expect.stringMatching(`/v1/orgs/acme/openapi/${slug}$`), published: undefined },
  });
  expect(spec.lastVersion).toBeUndefined();
  expect(await findJob(t, { key: `openapi.process ${spec.id}` })).toMatchObject({ job: "openapi.process" });
  const again = creator.openapi.create({ organizationId, slug, source });
  await expect(again).rejects.toMatchObject({ code: "CONFLICT", details: { reason: "slug_taken" } });
});

test("a text has no address", async () => {
  const { spec } = await created();
  expect(spec.sourceURL).toBeUndefined();
});

test("PUT creates with 201, and gives an existing one another source with 200", async () => {
  const one = { organizationId, specSlug: `put-${++slugs}` };
  const statusOf = async (given: object) => {
    const ctx = t.context(t.user({ acme: "create" }));
    const spec = await t
      .call(ctx.caller, { reply: ctx.reply })
      .openapi.createOrUpdate({ ...one, source: given });
    return [ctx.reply.status, spec.id, spec.sourceURL] as const;
  };
  const [status, id] = await statusOf(source);
  expect(status).toBe(201);
  expect(await statusOf({ url: "https://api.example/a.json" })).toEqual([
    undefined,
    id,
    "https://api.example/a.json",
  ]);
  expect(await statusOf(source)).toEqual([undefined, id, undefined]);
});

test("lists come by slug, page by page, each organization its own", async () => {
  const elsewhere = t.as({ listing: "create" }, { id: "lister" });
  for (const slug of ["c", "a", "b"])
    await elsewhere.openapi.create({ organizationId: "listing", slug, source });
  const first = await elsewhere.openapi.list({ organizationId: "listing", limit: 2 });
  expect([first.items.map(({ slug }) => slug), first.count]).toEqual([["a", "b"], 3]);
  const { items } = await elsewhere.openapi.list({
    organizationId: "listing",
    limit: 2,
    page: first.next!.page,
  });
  expect(items.map(({ slug }) => slug)).toEqual(["c"]);
});

test("readers see specifications and change nothing; strangers see none, guests nothing", async () => {
  const { slug } = await created();
  const one = { organizationId, specSlug: slug };
  expect((await reader.openapi.get(one)).permissions).toEqual({ view: true, edit: false });
  const forbidden = { code: "FORBIDDEN" };
  await expect(reader.openapi.create({ organizationId, slug: "new", source })).rejects.toMatchObject(
    forbidden,
  );
  await expect(reader.openapi.createOrUpdate({ ...one, source })).rejects.toMatchObject(forbidden);
  await expect(reader.openapi.update({ ...one, visibility: "public" })).rejects.toMatchObject(forbidden);
  await expect(reader.openapi.remove(one)).rejects.toMatchObject(forbidden);
  const guest = t.as({ acme: null }, { id: "guest" });
  await expect(guest.openapi.get(one)).rejects.toMatchObject(forbidden);
  await expect(stranger.openapi.get(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(stranger.openapi.list({ organizationId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await stranger.openapi.remove(one);
  expect(await creator.openapi.get(one)).toMatchObject({ visibility: "private" });
});

test("PATCH gives a public specification its link, and takes it away again", async () => {
  const { slug, spec } = await created();
  const one = { organizationId, specSlug: slug };
  const shown = await creator.openapi.update({ ...one, visibility: "public" });
  expect(shown.urls.published).toMatch(new RegExp(`/v1/openapi/${spec.id}$`));
  expect((await creator.openapi.update({ ...one, visibility: "private" })).urls.published).toBeUndefined();
  const unknown = creator.openapi.update({ organizationId, specSlug: "unknown", visibility: "public" });
  await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a deleted specification is gone, and deleting it again succeeds", async () => {
  const { slug } = await created();
  const one = { organizationId, specSlug: slug };
  await creator.openapi.remove(one);
  await creator.openapi.remove(one);
  await expect(creator.openapi.get(one)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  ["neither an address nor a text", {}],
  ["both", { url: "https://api.example/a", text: "x" }],
  ["an address with credentials", { url: "https://ada:hunter2@api.example/a" }],
  ["no address of the web", { url: "file:///etc/passwd" }],
  ["no address at all", { url: "nowhere" }],
  ["an empty text", { text: "" }],
  ["a text that cannot be stored", { text: "a\0" }],
])("a source with %s is 400", async (_, given) => {
  const creation = creator.openapi.create({ organizationId, slug: "bad", source: given });
  await expect(creation).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("reads are open to integrations by their scope, writes are not", () => {
  const scopes = operationsOf(openapi).map(({ name, scope }) => [name, scope]);
  expect(Object.fromEntries(scopes)).toEqual({
    list: "openapi:read",
    get: "openapi:read",
    create: undefined,
    createOrUpdate: undefined,
    update: undefined,
    remove: undefined,
  });
});
