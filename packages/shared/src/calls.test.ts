import { afterAll, beforeAll, expect, test } from "vitest";
import { ada, startDemo } from "./testing/demo-server.js";

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

/** Sends calls as services do, or in a form that is left to tRPC's own adapter. */
const call = (names: string, body: string, type = "application/json") =>
  demo.send("POST", `/trpc/${names}?batch=1`, { body, headers: { "content-type": type } });

test("calls in the form of services come to what tRPC's own adapter makes of them", async () => {
  const get = "things.get";
  const asked: [names: string, inputs: unknown][] = [
    [get, { 0: { thingId: "a" } }],
    [`${get},${get}`, { 0: { thingId: "a" }, 1: { thingId: "b" } }],
    [`${get},${get}`, { 0: { thingId: "a" }, 1: {} }],
    [`${get},${get}`, { 1: { thingId: "b" } }],
    [`whoami,${get}`, {}],
    [get, []],
    [get, null],
    [get, "text"],
    ["whoami", { 0: {} }],
    ["faults.thrown", { 0: {} }],
    ["faults.output", { 0: {} }],
    ["faults.refused", { 0: {} }],
    ["things.create", { 0: { title: "a title" } }],
    ["things.create", { 0: { title: "far too long for a title" } }],
    [`whoami,faults.refused`, { 0: {}, 1: {} }],
    ["things.none", { 0: {} }],
    ["toString", { 0: {} }],
    ["things", { 0: {} }],
    ["sweep", { 0: {} }],
  ];
  for (const [names, inputs] of asked) {
    const body = JSON.stringify(inputs);
    const [ours, theirs] = [
      await call(names, body),
      await call(names, body, "application/json; charset=utf-8"),
    ];
    expect([names, body, ours.status, ours.body]).toEqual([names, body, theirs.status, theirs.body]);
    for (const name of ["allow", "retry-after", "content-type"])
      expect(ours.headers[name], `${name} of ${names}`).toBe(theirs.headers[name]);
  }
});

test("a body that is no JSON is refused as tRPC says it", async () => {
  for (const body of ["{broken", ""]) {
    const ours = await call("things.get", body);
    const theirs = await call("things.get", body, "application/json; charset=utf-8");
    expect([ours.status, ours.text]).toEqual([theirs.status, theirs.text]);
    expect(ours.status).toBeGreaterThanOrEqual(400);
  }
});

test("each call of a request without an identity is 401", async () => {
  const headers = { "content-type": "application/json", "x-octavo-identity": "none" };
  const { status, body } = await demo.send("POST", "/trpc/whoami,whoami?batch=1", { body: "{}", headers });
  expect(status).toBe(401);
  expect(body.map((one: { error: { data: { code: string } } }) => one.error.data.code)).toEqual([
    "UNAUTHORIZED",
    "UNAUTHORIZED",
  ]);
});

test("a response has the request id that came with its call", async () => {
  const headers = { "content-type": "application/json", "x-request-id": "request-1234" };
  const sent = await demo.send("POST", "/trpc/whoami?batch=1", { body: '{"0":{}}', headers });
  expect(sent.headers["x-request-id"]).toBe("request-1234");
  expect(sent.body).toEqual([{ result: { data: { caller: ada } } }]);
});
