import { afterAll, beforeAll, expect, test } from "vitest";
import { startDemo } from "../testing/demo-server.js";

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const JSON_TYPE = { "content-type": "application/json" };
const queried = async (search: string) => {
  const { status, body } = await demo.send("GET", `/v1/things?${search}`);
  return status === 200 ? body.items[0].given : { status, issues: body.error.issues };
};
const posted = async (body: object | string | Buffer, headers: Record<string, string> = JSON_TYPE) => {
  const response = await demo.send("POST", "/v1/things", { body, headers });
  return response.status === 201
    ? response.body.given
    : { status: response.status, error: response.body.error };
};
const patched = async (body: object) =>
  (await demo.send("PATCH", "/v1/things/a", { body })).body as {
    given?: Record<string, unknown>;
    error?: { code: number; issues: unknown };
  };

test("a recursive schema is parsed and returned", async () => {
  const tree = { name: "root", children: [{ name: "leaf", children: [{ name: "deep" }] }] };
  const response = await demo.send("POST", "/v1/trees", { body: { tree } });
  expect(response).toMatchObject({ status: 201, body: tree });
  const bad = await demo.send("POST", "/v1/trees", { body: { tree: { name: "a", children: [{}] } } });
  expect(bad.body.error.issues[0].path).toBe("body.tree.children.0.name");
});

test("?flag=false is false, and only true and false are booleans", async () => {
  expect(await queried("flag=false")).toMatchObject({ flag: false });
  expect(await queried("flag=true")).toMatchObject({ flag: true });
  for (const value of ["1", "0", "no", "TRUE", ""]) {
    expect(await queried(`flag=${value}`), value).toMatchObject({ status: 400 });
  }
});

test("numbers of a query are decimals, and nothing else", async () => {
  expect(await queried("ratio=-1.5&limit=0")).toMatchObject({ ratio: -1.5, limit: 0 });
  for (const value of ["", "abc", "1e3", "0x10", "%201", "Infinity", "NaN", "1.", "12345678901234567890"]) {
    expect(await queried(`ratio=${value}`), value).toMatchObject({ status: 400 });
  }
});

test("?limit= over 1000, below 0, empty, fractional or no number is 400", async () => {
  for (const value of ["1001", "-1", "", "1.5", "abc"]) {
    const { status, issues } = await queried(`limit=${value}`);
    expect([status, issues.map(({ path }: { path: string }) => path)], value).toEqual([400, ["query.limit"]]);
  }
  expect(await queried("limit=1000")).toMatchObject({ limit: 1000 });
  expect(await queried("")).toMatchObject({ limit: 50 });
});

test("a scalar of the query that is given twice is 400", async () => {
  expect(await queried("limit=5&limit=6")).toMatchObject({ status: 400 });
  expect(await queried("query=a&query=b")).toMatchObject({ status: 400 });
});

test("a list of the query may be given once, often or not at all, with a default too", async () => {
  expect(await queried("colors=red")).toMatchObject({ colors: ["red"] });
  expect(await queried("colors=red&colors=green")).toMatchObject({ colors: ["red", "green"] });
  expect(await queried("authors=a")).toMatchObject({ authors: ["a"] });
  expect(await queried("authors=a&authors=b")).toMatchObject({ authors: ["a", "b"] });
  const none = await queried("");
  expect(none.authors).toEqual([]);
  expect(none).not.toHaveProperty("colors");
  expect(await queried("colors=blue")).toMatchObject({
    status: 400,
    issues: [{ path: "query.colors.0" }],
  });
});

test("an empty text of the query is an empty text", async () => {
  expect(await queried("query=")).toMatchObject({ query: "" });
});

test("a query is decoded, `+` is a blank, and a malformed encoding is 400", async () => {
  expect(await queried("query=a+b%20%C3%A9%26")).toMatchObject({ query: "a b é&" });
  for (const value of ["%", "%zz", "%ff"]) expect((await queried(`query=${value}`)).status).toBe(400);
});

test("unknown keys of a query and fields of a body are ignored, whatever they are called", async () => {
  expect(await queried("hello=1&__proto__=2&constructor=3&toString=4")).toEqual({ limit: 50, authors: [] });
  expect(await posted({ title: "a", hello: 1 })).toEqual({ title: "a", tags: [], dryRun: false });
});

test('{"active":"false"} is 400: nothing in a body is taken for something else', async () => {
  for (const body of [
    { active: "false" },
    { active: 0 },
    { active: null },
    { count: "12" },
    { count: true },
  ]) {
    expect((await posted(body)).status, JSON.stringify(body)).toBe(400);
  }
});

test("PATCH distinguishes null from absent", async () => {
  expect((await patched({ note: null })).given).toEqual({ note: null, tags: [], thingId: "a" });
  expect((await patched({})).given).toEqual({ tags: [], thingId: "a" });
  expect((await patched({ count: null })).error).toMatchObject({ code: 400 });
});

test("a request changes no schema: tRPC with the same one refuses the same before and after", async () => {
  const fields = async (input: object) =>
    (await demo.send("GET", `/trpc/fields?input=${encodeURIComponent(JSON.stringify(input))}`)).status;
  expect(await fields({ active: "true" })).toBe(400);
  expect(await fields({ count: null })).toBe(400);
  await posted({ active: true, count: 1 });
  await demo.send("GET", "/v1/things?flag=true&ratio=1");
  expect(await fields({ active: "true" })).toBe(400);
  expect(await fields({ count: null })).toBe(400);
  expect(await fields({ count: 1 })).toBe(200);
});

test("all issues are reported at once, each with the place it came from", async () => {
  const { body } = await demo.send("POST", "/v1/things?dryRun=maybe", {
    body: { title: "", active: 1, tags: ["fine", 2] },
  });
  const { issues, ...error } = body.error;
  expect(issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    "body.active",
    "body.tags.1",
    "body.title",
    "query.dryRun",
  ]);
  expect(error).toMatchObject({ code: 400, reason: "invalid_input", requestId: expect.any(String) });
  for (const { path, message } of issues) expect(error.message).toContain(`${path}: ${message}`);
});

test("a value that fits none of several forms is refused with what each of them misses", async () => {
  const { error } = await posted({ place: { before: 1 } });
  const message =
    "top: Invalid input: expected boolean, received undefined; or " +
    "before: Invalid input: expected string, received number";
  expect(error.issues).toEqual([{ path: "body.place", message }]);
});

test("path, query and body never take each other's place", async () => {
  const response = await demo.send("PATCH", "/v1/things/a?title=query", {
    body: { thingId: "b", title: "t" },
  });
  expect(response.body.given).toEqual({ title: "t", tags: [], thingId: "a" });
  const created = await demo.send("POST", "/v1/things?title=query&dryRun=true", { body: { dryRun: false } });
  expect(created.body.given).toEqual({ tags: [], dryRun: true });
  expect(await posted({ dryRun: true })).toMatchObject({ dryRun: false });
});

test("POST without a body or without a content type works", async () => {
  expect(await demo.send("POST", "/v1/things/a/publish")).toMatchObject({ status: 200 });
  expect((await demo.send("POST", "/v1/things", { body: '{"title":"a"}' })).status).toBe(201);
  const empty = await demo.send("POST", "/v1/things", { headers: { "content-type": "text/plain" } });
  expect(empty.status).toBe(201);
});

test("the parameters and the case of a content type do not matter, another charset or type is 415", async () => {
  for (const type of ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]) {
    expect(await posted('{"title":"é"}', { "content-type": type }), type).toMatchObject({ title: "é" });
  }
  for (const type of ["text/plain", "application/xml", "application/json; charset=latin1", ""]) {
    const { status, error } = await posted("{}", { "content-type": type });
    expect([status, error.reason], type).toEqual([415, "unsupported_media_type"]);
  }
});

test("a compressed body is 415", async () => {
  expect((await posted("{}", { ...JSON_TYPE, "content-encoding": "gzip" })).status).toBe(415);
  expect(await posted("{}", { ...JSON_TYPE, "content-encoding": "identity" })).toHaveProperty("tags");
});

test("a body that is not JSON, not UTF-8 or no object is 400", async () => {
  for (const body of ["{", "{'a':1}", " ", '{"a":1}x', Buffer.from([0x7b, 0xff, 0x7d])]) {
    const { status, error } = await posted(body);
    expect([status, error.message], String(body)).toEqual([400, "body: is not valid JSON"]);
    expect(error.issues).toEqual([{ path: "body", message: "is not valid JSON" }]);
  }
  for (const body of ["[]", "null", '"text"', "1", "true"]) {
    expect((await posted(body)).error.message, body).toBe("body: expected an object");
  }
});

test("a byte order mark before the body is skipped", async () => {
  expect(await posted('\ufeff{"title":"a"}')).toMatchObject({ title: "a" });
});

test("a body that is nested very deep does not take the service down", async () => {
  const deep = `{"bag":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
  expect((await posted(deep)).error.message).toBe("body: is nested deeper than 256 levels");
  let tree = '{"name":"x"}';
  for (let depth = 0; depth < 10_000; depth++) tree = `{"name":"x","children":[${tree}]}`;
  expect((await demo.send("POST", "/v1/trees", { body: `{"tree":${tree}}` })).status).toBe(400);
  expect((await demo.send("GET", "/v1/things")).status).toBe(200);
});

test("__proto__ in a body poisons nothing", async () => {
  const body = '{"title":"a","__proto__":{"admin":true},"bag":{"__proto__":{"admin":true},"x":{"a":1}}}';
  const given = await posted(body);
  expect(given).toMatchObject({ title: "a", bag: { x: { a: 1 } } });
  expect(given).not.toHaveProperty("admin");
  expect(Object.keys(given.bag)).toEqual(["x"]);
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
});

test("NUL characters and halves of surrogate pairs in a text are 400", async () => {
  for (const title of ["a\0b", "\ud800", "\udc00x"]) {
    expect((await posted({ title })).error.issues[0].path).toBe("body.title");
  }
  expect((await demo.send("GET", "/v1/things/a%00b")).body.error.issues[0].path).toBe("path.thingId");
  expect(await queried("query=%00")).toMatchObject({ status: 400 });
  expect(await posted({ title: "😀" })).toMatchObject({ title: "😀" });
});

test("a body over the limit is 413, by its length and by what streams in", async () => {
  const limit = 256 * 1024;
  const body = Buffer.alloc(limit + 1, " ");
  const refused = await posted(body);
  expect(refused.status).toBe(413);
  expect(refused.error).toMatchObject({ code: 413, reason: "body_too_large" });
  const chunks = Array.from({ length: 80 }, () => Buffer.alloc(65_536, " "));
  const streamed = await demo.send("POST", "/v1/things", { body: chunks, headers: JSON_TYPE });
  expect(streamed.status).toBe(413);
  const fits = Buffer.concat([Buffer.from("{}"), Buffer.alloc(limit - 2, " ")]);
  expect(await posted(fits)).toHaveProperty("tags");
});

test("an operation may set a limit of its own", async () => {
  const put = (length: number) =>
    demo.send("PUT", "/v1/things/a", { body: Buffer.from("{}".padEnd(length)), headers: JSON_TYPE });
  expect([(await put(100)).status, (await put(101)).status]).toEqual([200, 413]);
});

test("the body of a GET or DELETE is not read", async () => {
  const sent = { body: "{broken", headers: { ...JSON_TYPE, "content-length": "7" } };
  expect((await demo.send("GET", "/v1/things/a", sent)).status).toBe(200);
  expect((await demo.send("DELETE", "/v1/things/a", sent)).status).toBe(204);
});
