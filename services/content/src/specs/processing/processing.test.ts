import { gzipSync } from "node:zlib";
import { createEgress } from "@octavo/shared/egress/client";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { findJob } from "@octavo/shared/testing/jobs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSpecReader } from "../../openapi-documents/reader.js";
import { contentTest } from "../../testing/content.js";
import type { Ctx } from "../../trpc.js";
import { documentOf, documentServer, operation, textOf } from "../testing.js";
import { refreshDue } from "./jobs.js";
import { abandon, processSource } from "./process.js";

const t = await contentTest();
const server = await documentServer();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await server.close();
  await t.drop();
});

const admin = t.as({ acme: "admin" });
const organizationId = "acme";
const never = new AbortController().signal;
let slugs = 0;

/** A specification of a source, and what becomes of it. */
async function specOf(source: { url?: string; text?: string }) {
  const specSlug = `spec-${++slugs}`;
  const one = { organizationId, specSlug };
  const { id } = await admin.openapi.create({ organizationId, slug: specSlug, source });
  const run = async (over: Partial<Ctx> = {}) => {
    await processSource({ ...t.ctx, ...over }, id, never);
    return admin.openapi.get(one);
  };
  const versions = async () => (await admin.openapiVersions.list(one)).items;
  return { id, one, run, versions };
}

/** What is reported of a source that cannot be read. */
async function failureOf(source: { url?: string; text?: string }, over?: Partial<Ctx>) {
  const { run, versions } = await specOf(source);
  const spec = await run(over);
  expect(spec).toMatchObject({ processingState: "complete", lastProcessedAt: expect.any(String) });
  expect(await versions()).toEqual([]);
  return { code: spec.lastProcessErrorCode, errors: spec.lastProcessedErrors };
}

test("a text becomes a version, which is the latest", async () => {
  const { run, versions, one } = await specOf({ text: textOf({ "/pets": { get: operation } }) });
  const spec = await run();
  const [version, ...others] = await versions();
  expect(others).toEqual([]);
  expect(spec).toMatchObject({ processingState: "complete", lastVersion: version!.id });
  expect(spec.lastProcessErrorCode).toBeUndefined();
  const { filesystem } = await admin.openapiVersions.getLatestContent(one);
  expect(filesystem[0]!.specification).toEqual(documentOf({ "/pets": { get: operation } }));
});

test("a new version is kept only when the content changed, with what it breaks", async () => {
  server.files.set("/api.yaml", textOf({ "/pets": { get: operation, post: operation } }));
  const { run, versions } = await specOf({ url: `${server.origin}/api.yaml` });
  const first = await run();
  // The same, written otherwise.
  server.files.set("/api.yaml", JSON.stringify(JSON.parse(server.files.get("/api.yaml")!), null, 4));
  expect(await run()).toMatchObject({ lastVersion: first.lastVersion });
  server.files.set("/api.yaml", textOf({ "/pets": { get: operation } }));
  const second = await run();
  expect((await versions()).map(({ id, breakingChanges }) => [id, breakingChanges])).toEqual([
    [second.lastVersion, { count: 1, items: [{ kind: "operation-removed", operation: "POST /pets" }] }],
    [first.lastVersion, undefined],
  ]);
});

test("files that the document refers to are fetched, by their places, through redirects", async () => {
  server.files.set("/multi/openapi.json", textOf({ "/pets": { $ref: "paths/pets.yaml#/pets" } }));
  server.files.set(
    "/multi/paths/pets.yaml",
    "pets:\n  get:\n    responses: {'200': {$ref: ../found.json}}\n",
  );
  server.files.set("/multi/found.json", '{"description":"Found"}');
  const front = await documentServer((req, res) =>
    res.writeHead(302, { location: `${server.origin}/multi${req.url}` }).end(),
  );
  const { run, one } = await specOf({ url: `${front.origin}/openapi.json` });
  expect(await run()).toMatchObject({ lastVersion: expect.any(String) });
  const { filesystem } = await admin.openapiVersions.getLatestContent(one);
  expect(filesystem[0]!.specification["x-ext"]).toEqual({
    "1": { pets: { get: { responses: { 200: { $ref: "#/x-ext/2" } } } } },
    "2": { description: "Found" },
  });
  await front.close();
});

test("a source that cannot be fetched or parsed sets its error code, and the version before stays", async () => {
  server.files.set("/changing.json", textOf());
  const { run, versions } = await specOf({ url: `${server.origin}/changing.json` });
  const { lastVersion } = await run();
  server.files.set("/changing.json", "{");
  expect(await run()).toMatchObject({ lastVersion, lastProcessErrorCode: "PARSE_ERROR" });
  server.files.delete("/changing.json");
  const gone = await run();
  expect(gone).toMatchObject({ lastVersion, lastProcessErrorCode: "FETCH_ERROR" });
  expect(gone.lastProcessedErrors).toEqual([{ message: `${server.origin}: responded with 404` }]);
  server.files.set("/changing.json", textOf());
  expect((await run()).lastProcessErrorCode).toBeUndefined();
  expect(await versions()).toHaveLength(1);
});

test("sources that never respond, are endless, packed or private, or redirect in a circle end with a clear code", async () => {
  const hurried = (over: object): Partial<Ctx> => ({
    egress: { ...t.ctx.egress, fetch: (url, request) => t.ctx.egress.fetch(url, { ...request, ...over }) },
  });
  const silent = await documentServer(() => undefined);
  expect(await failureOf({ url: silent.origin }, hurried({ timeoutMs: 50 }))).toMatchObject({
    code: "FETCH_TIMEOUT",
  });
  const endless = await documentServer((_, res) => {
    const pump = () => {
      while (!res.destroyed && res.write(" ".repeat(65_536)));
    };
    res.on("drain", pump);
    pump();
  });
  const tooLarge = { code: "FETCH_ERROR", errors: [{ code: "egress_too_large" }] };
  expect(await failureOf({ url: endless.origin })).toMatchObject(tooLarge);
  const bomb = gzipSync(" ".repeat(20_000_000));
  const packed = await documentServer((_, res) =>
    res.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  );
  expect(await failureOf({ url: packed.origin })).toMatchObject(tooLarge);
  const refused = { code: "FETCH_ERROR", errors: [{ code: "egress_refused" }] };
  expect(await failureOf({ url: "http://192.168.0.1/openapi.json" })).toMatchObject(refused);
  const narrow = { egress: createEgress({ allow: ["127.0.0.1/32"] }) };
  const astray = await documentServer((_, res) =>
    res.writeHead(302, { location: "http://127.0.0.2:9/" }).end(),
  );
  expect(await failureOf({ url: astray.origin }, narrow)).toMatchObject(refused);
  const round = await documentServer((_, res) => res.writeHead(302, { location: "/again" }).end());
  expect(await failureOf({ url: round.origin })).toMatchObject({ code: "FETCH_ERROR" });
  for (const one of [silent, endless, packed, astray, round]) await one.close();
});

test("a document refers to a private address no more than a source does", async () => {
  const text = textOf({ "/pets": { $ref: "http://169.254.169.254/latest/meta-data" } });
  expect(await failureOf({ text })).toMatchObject({
    code: "FETCH_ERROR",
    errors: [{ code: "egress_refused" }],
  });
});

test("a chain of files that does not end is cut", async () => {
  const chain = await documentServer((req, res) => {
    const next = Number(/\d+/.exec(req.url!)?.[0] ?? 0) + 1;
    res.end(textOf({ "/pets": { $ref: `/${next}.json#/paths/~1pets` } }));
  });
  const cut = { code: "PARSE_ERROR", errors: [{ code: "too-large" }] };
  expect(await failureOf({ url: `${chain.origin}/0.json` })).toMatchObject(cut);
  expect(chain.requests.length).toBeLessThan(30);
  await chain.close();
});

test("a document that takes too long to be read is an error of the document, and others go on", async () => {
  const specReader = createSpecReader({ deadline: 1 });
  const text = textOf(
    Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`/p${at}`, { get: operation }])),
  );
  expect(await failureOf({ text }, { specReader })).toMatchObject({ code: "PARSE_ERROR" });
  await specReader.close();
  expect(await (await specOf({ text })).run()).toMatchObject({ lastVersion: expect.any(String) });
});

test("a source that is a picture, a page or an archive is a PARSE_ERROR, whatever its host calls it", async () => {
  const contents = [
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    Buffer.from([0xc3, 0x28, 0, 1]),
    Buffer.from("PK\u0003\u0004 and more"),
    "<!doctype html><html><body>openapi: 3.0.0</body></html>",
    "",
    "[]",
    "openapi",
    "openapi: 3.0.0\ninfo: 7\npaths: none\n",
  ];
  for (const content of contents) {
    const wrong = await documentServer((_, res) =>
      res.writeHead(200, { "content-type": "application/json" }).end(content),
    );
    const failure = await failureOf({ url: wrong.origin });
    expect(failure, String(content)).toMatchObject({ code: "PARSE_ERROR", errors: [{}] });
    await wrong.close();
  }
});

test("a document with a mark and ends of lines of another system, and files by unusual names, is read", async () => {
  const text = [
    "\uFEFFopenapi: 3.1.0",
    "info: {title: 'Größe <script>alert(1)</script> #eval', version: '1'}",
    "paths:",
    "  /a b/{(x)}: {$ref: 'parts/a%20b (1) ü.yaml#/x'}",
    "",
  ].join("\r\n");
  server.files.set("/unusual/api.yaml", text);
  const part = "\uFEFFx:\r\n  get:\r\n    responses:\r\n      '200': {description: Found}\r\n";
  server.files.set(new URL("/unusual/parts/a b (1) ü.yaml", server.origin).pathname, part);
  const { run, one } = await specOf({ url: `${server.origin}/unusual/api.yaml` });
  expect(await run()).toMatchObject({ lastVersion: expect.any(String) });
  const { filesystem } = await admin.openapiVersions.getLatestContent(one);
  expect(filesystem[0]!.specification).toMatchObject({
    info: { title: "Größe <script>alert(1)</script> #eval" },
  });
});

test("more files than a document may have, and texts that multiply by aliases, end with a clear code", async () => {
  const many = await documentServer((_, res) => void res.end("get: {responses: {}}"));
  const paths = Array.from({ length: 1_000 }, (_, at) => [`/p${at}`, { $ref: `${many.origin}/${at}.yaml` }]);
  expect(await failureOf({ text: textOf(Object.fromEntries(paths)) })).toMatchObject({
    code: "PARSE_ERROR",
    errors: [{ code: "too-large" }],
  });
  expect(many.requests.length).toBeLessThan(300);
  await many.close();
  const levels = Array.from({ length: 12 }, (_, at) => `x-${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
  const bomb = `openapi: 3.0.0\nx-0: &a0 [lol]\n${levels.join("\n")}\ninfo: {title: x, version: '1'}\npaths: {}\n`;
  expect(await failureOf({ text: bomb })).toMatchObject({ code: "PARSE_ERROR" });
});

test("what was made of a former source is dropped", async () => {
  const { run, one, versions } = await specOf({ text: textOf() });
  const read = t.ctx.specReader.read;
  const source = { text: textOf({ "/later": {} }) };
  const overtaken: Ctx["specReader"] = {
    ...t.ctx.specReader,
    read: async (files) => {
      const reading = await read(files);
      await admin.openapi.createOrUpdate({ ...one, source });
      return reading;
    },
  };
  expect(await run({ specReader: overtaken })).toMatchObject({ processingState: "pending" });
  expect(await versions()).toEqual([]);
  expect(await run()).toMatchObject({ processingState: "complete", lastVersion: expect.any(String) });
});

test("a stop in the middle leaves the run to be done again; an abandoned run has an error code", async () => {
  const { id, one, run } = await specOf({ url: `${server.origin}/stopped.json` });
  server.files.set("/stopped.json", textOf());
  const stopped = processSource(t.ctx, id, AbortSignal.abort(new Error("stopping")));
  await expect(stopped).rejects.toThrow("stopping");
  expect(await admin.openapi.get(one)).toMatchObject({ processingState: "progress" });
  await abandon(t.ctx, id);
  expect(await admin.openapi.get(one)).toMatchObject({
    processingState: "complete",
    lastProcessErrorCode: "PARSE_ERROR",
  });
  expect((await run()).lastProcessErrorCode).toBeUndefined();
});

test("an address is looked at every six hours, a text never again", async () => {
  server.files.set("/refreshed.json", textOf());
  const url = await specOf({ url: `${server.origin}/refreshed.json` });
  const text = await specOf({ text: textOf() });
  for (const { run } of [url, text]) await run();
  await t.db.deleteFrom("openapi_spec").where("id", "not in", [url.id, text.id]).execute();
  const states = async () =>
    Promise.all([url, text].map(async ({ one }) => (await admin.openapi.get(one)).processingState));
  const after = (hours: number) => ({ ...t.ctx, clock: () => new Date(Date.now() + hours * 3_600_000) });
  await refreshDue(after(5.9), never);
  expect(await states()).toEqual(["complete", "complete"]);
  await refreshDue(after(6.1), never);
  expect(await states()).toEqual(["pending", "complete"]);
  expect(await findJob(t, { key: `openapi.process ${url.id}` })).toMatchObject({ state: "waiting" });
  expect(await url.run()).toMatchObject({ processingState: "complete" });
});
