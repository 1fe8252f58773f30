import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startDemo } from "../testing/demo-server.js";
import { createApi } from "../trpc.js";
import { createRestHandler } from "./handler.js";

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const given = async (path: string) => (await demo.send("GET", path)).body.given;

test("GET is 200, POST is 201 with the Location of what was created, DELETE is 204 without a body", async () => {
  expect((await demo.send("GET", "/v1/things/a")).status).toBe(200);
  const created = await demo.send("POST", "/v1/things", { body: { title: "one" } });
  expect(created.status).toBe(201);
  expect(created.headers.location).toBe("http://octavo.test/v1/things/thing1");
  expect(created.headers["content-type"]).toBe("application/json; charset=utf-8");
  const removed = await demo.send("DELETE", "/v1/things/a");
  expect(removed).toMatchObject({ status: 204, text: "" });
  expect(removed.headers).not.toHaveProperty("content-type");
  expect(removed.headers).not.toHaveProperty("location");
});

test("POST with a declared status of 200 is 200 without Location", async () => {
  const published = await demo.send("POST", "/v1/things/a/publish");
  expect(published.status).toBe(200);
  expect(published.headers).not.toHaveProperty("location");
});

test("a literal is matched before a parameter, although it was declared after it", async () => {
  expect(await given("/v1/things/latest")).toEqual({});
  expect(await given("/v1/things/latest2")).toEqual({ thingId: "latest2" });
});

test("a literal that leads nowhere gives way to the parameter beside it", async () => {
  expect(await given("/v1/things/latest/files/a")).toEqual({ thingId: "latest", filePath: "a" });
});

test("path parameters are percent-decoded", async () => {
  expect(await given("/v1/things/a%20b%C3%A9%3F")).toEqual({ thingId: "a bé?" });
  expect(await given("/v1/things/a+b")).toEqual({ thingId: "a+b" });
});

test("%2F inside a segment stays inside its parameter", async () => {
  expect(await given("/v1/things/a%2Fb")).toEqual({ thingId: "a/b" });
});

test("a catch-all takes raw and encoded slashes", async () => {
  const file = async (path: string) => (await given(`/v1/things/a/files/${path}`)).filePath;
  expect(await file("guides/install.md")).toBe("guides/install.md");
  expect(await file("guides%2Finstall.md")).toBe("guides/install.md");
  expect(await file("a%20b//c")).toBe("a b//c");
  expect((await demo.send("GET", "/v1/things/a/files/")).status).toBe(404);
});

test("a path with a malformed encoding is 400", async () => {
  for (const path of ["/v1/things/%", "/v1/things/%zz", "/v1/things/%ff", "/v1/things/a/files/x/%c3"]) {
    const response = await demo.send("GET", path);
    expect(response.status, path).toBe(400);
    expect(response.body.error.message).toBe("path: is not valid percent-encoded UTF-8");
  }
});

test("a number in a path is read by its schema, and what is no number is 400", async () => {
  expect(await given("/v1/things/a/versions/12")).toEqual({ thingId: "a", versionNumber: 12 });
  const response = await demo.send("GET", "/v1/things/a/versions/twelve");
  expect(response.status).toBe(400);
  expect(response.body.error.issues[0].path).toBe("path.versionNumber");
});

test("an unknown path is 404, also with an empty segment, another case or a trailing slash", async () => {
  for (const path of ["/v1/thing", "/v1/things/", "/v1//things", "/v1/things/a/", "/v1/Things", "/v1", "/"]) {
    const { status, body } = await demo.send("GET", path);
    expect(status, path).toBe(404);
    expect(body.error).toMatchObject({ code: 404, message: "Path: not found", reason: "not_found" });
  }
});

test("a dot in a path is a dot", async () => {
  expect((await demo.send("GET", "/v1/thingsx")).status).toBe(404);
  expect(await given("/v1/things/a.b")).toEqual({ thingId: "a.b" });
});

test("another method is 405 with the methods of the path in Allow", async () => {
  const response = await demo.send("POST", "/v1/things/a");
  expect(response.status).toBe(405);
  expect(response.headers.allow!.split(", ").sort()).toEqual([
    "DELETE",
    "GET",
    "HEAD",
    "OPTIONS",
    "PATCH",
    "PUT",
  ]);
  expect(response.body.error).toMatchObject({ code: 405, reason: "method_not_supported" });
  expect((await demo.send("DELETE", "/v1/things/a/publish")).headers.allow).toBe("POST, OPTIONS");
});

test("OPTIONS is 204 with Allow, and 404 for an unknown path", async () => {
  const response = await demo.send("OPTIONS", "/v1/things");
  expect(response.status).toBe(204);
  expect(response.headers.allow).toBe("GET, POST, HEAD, OPTIONS");
  expect((await demo.send("OPTIONS", "/v1/nothing")).status).toBe(404);
});

test("a large response, which is written in pieces, arrives whole and with its length", async () => {
  const bag = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, { at, name: "é" }]));
  const { status, body, text, headers } = await demo.send("POST", "/v1/things", {
    body: { title: "a", bag },
  });
  expect(status).toBe(201);
  expect(JSON.stringify(body.given.bag) === JSON.stringify(bag)).toBe(true);
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(text));
});

test("HEAD returns what GET does, without the body", async () => {
  const [head, get] = [await demo.send("HEAD", "/v1/things/a"), await demo.send("GET", "/v1/things/a")];
  expect(head).toMatchObject({ status: 200, text: "" });
  expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  expect(await demo.send("HEAD", "/v1/nothing")).toMatchObject({ status: 404, text: "" });
  expect(await demo.send("HEAD", "/v1/things?limit=x")).toMatchObject({ status: 400, text: "" });
});

test("a raw route writes its own response, HEAD too, and needs no identity", async () => {
  const headers = { "x-octavo-identity": "none" };
  expect(await demo.send("GET", "/v1/downloads/a%20b", { headers })).toMatchObject({
    status: 200,
    text: "bytes of a b",
  });
  expect(await demo.send("HEAD", "/v1/downloads/a", { headers })).toMatchObject({ status: 200, text: "" });
  expect((await demo.send("POST", "/v1/downloads/a", { headers })).status).toBe(405);
});

test("a raw route reads a form that a browser posts: 415 for another type, 413 when it is too large", async () => {
  const post = (type: string, body: string) =>
    demo.send("POST", "/v1/forms", { headers: { "content-type": type }, body });
  const form = "application/x-www-form-urlencoded";
  expect((await post(form, "a=1+2%2B&b=%C3%A9&a=")).body).toEqual([
    ["a", "1 2+"],
    ["b", "é"],
    ["a", ""],
  ]);
  expect((await post("application/json", "{}")).status).toBe(415);
  expect((await post(`${form}; charset=utf-16`, "a=1")).status).toBe(415);
  expect((await post(form, `a=${"x".repeat(100)}`)).status).toBe(413);
});

test("two operations that claim one path refuse to start, also under another parameter's name", () => {
  const { get, patch, router } = createApi<never>();
  const operation = (path: `/${string}`) =>
    get(path, { summary: "Get x" })
      .input(z.object({ a: z.string(), b: z.string() }))
      .output(z.object({}))
      .query(() => ({}));
  const handler = (first: `/${string}`, second: `/${string}`) => () =>
    createRestHandler({
      router: router({ first: operation(first), second: operation(second) }),
      prefix: "/v1",
      requestIdOf: () => "",
      context: () => Promise.reject(new Error("unused")),
      onFailure: () => undefined,
    });
  expect(handler("/x/{a}", "/x/{a}")).toThrow("Two operations claim GET /x/{a}");
  expect(handler("/x/{a}", "/x/{b}")).toThrow("Two operations claim GET /x/{b}");
  expect(handler("/x/{a}/y", "/x/{b}/z")).not.toThrow();
  const change = patch("/x/{b}", { summary: "Change x" })
    .input(z.object({ b: z.string() }))
    .output(z.object({}))
    .mutation(() => ({}));
  const mixed = router({ first: operation("/x/{a}"), change });
  const start = () =>
    createRestHandler({
      router: mixed,
      prefix: "/v1",
      requestIdOf: () => "",
      context: () => Promise.reject(new Error("unused")),
      onFailure: () => undefined,
    });
  expect(start).toThrow("PATCH /x/{b} names its parameters otherwise than another operation of its path");
});
