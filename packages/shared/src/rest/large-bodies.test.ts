import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IDENTITY_HEADER } from "../identity.js";
import { startDemo } from "../testing/demo-server.js";
import { createApi } from "../trpc.js";
import { createLargeBodies } from "./large-bodies.js";

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const JSON_TYPE = { "content-type": "application/json" };
const upload = (thing: string, body: string) =>
  demo.send("PUT", `/v1/things/${thing}/upload`, { body, headers: JSON_TYPE });

/** Announces a body and sends nothing of it, or only its first bytes. */
async function announce(path: string, framing: Record<string, string>, first = "", method = "PUT") {
  const headers = { [IDENTITY_HEADER]: demo.identity, ...JSON_TYPE, ...framing };
  const req = request({ port: demo.port, method, path, headers });
  req.on("error", () => undefined);
  if (first) req.write(first);
  else req.flushHeaders();
  const [res] = (await once(req, "response")) as [IncomingMessage];
  const response = { status: res.statusCode, body: JSON.parse(await text(res)) };
  req.destroy();
  return response;
}

test("who may not send a large body is refused before any of it arrives", async () => {
  const framings: Record<string, string>[] = [
    { "content-length": "900000" },
    { "transfer-encoding": "chunked" },
  ];
  for (const framing of framings) {
    const { status, body } = await announce("/v1/things/other/upload", framing);
    expect([status, body.error.message]).toEqual([404, "Thing: not found"]);
    expect((await announce(`/v1/things/${"x".repeat(101)}/upload`, framing)).body.error.issues).toMatchObject(
      [{ path: "path.thingId" }],
    );
  }
});

test("who may sends as much as the operation takes; small bodies are left to the rule", async () => {
  const padded = (length: number) => `{"title":"a"}`.padEnd(length);
  expect((await upload("own", padded(900_000))).body.given).toMatchObject({ thingId: "own", title: "a" });
  const beyond = await upload("own", padded(1024 * 1024 + 1));
  expect([beyond.status, beyond.body.error.reason]).toEqual([413, "body_too_large"]);
  expect((await upload("other", padded(1_000))).status).toBe(200);
});

test("a body of too many values is 400 and names the bound, whatever they are", async () => {
  for (const value of ["0", "{}", "[]", '""']) {
    const body = `{"bag":{"a":[${`${value},`.repeat(250_000)}0]}}`;
    const { status, body: refusal } = await upload("own", body);
    expect([value, status, refusal.error.message]).toEqual([
      value,
      400,
      "body: holds more than 250000 values",
    ]);
  }
});

test("a call over tRPC is bounded too, and nothing of it is read from who shows no identity", async () => {
  const call = (body: string) => demo.send("POST", "/trpc/fields", { body, headers: JSON_TYPE });
  expect((await call('{"bag":{"a":[1]}}')).status).toBe(200);
  for (const bag of [`{"a":[${"0,".repeat(250_000)}0]}`, `${'{"a":'.repeat(300)}1${"}".repeat(300)}`]) {
    const { status, body } = await call(`{"bag":${bag}}`);
    expect([status, body.error.data.code]).toEqual([400, "BAD_REQUEST"]);
  }
  const stranger = await announce(
    "/trpc/fields",
    { "content-length": "900000", [IDENTITY_HEADER]: "none" },
    "{",
    "POST",
  );
  expect([stranger.status, stranger.body.error.data.code]).toEqual([401, "UNAUTHORIZED"]);
});

test("an operation that takes large bodies has to declare its party", () => {
  const { put } = createApi<never>();
  const declare = (maxBody: number) => () => put("/x", { summary: "Set x", maxBody });
  expect(declare(256 * 1024)).not.toThrow();
  expect(declare(256 * 1024 + 1)).toThrow("PUT /x takes large bodies and does not say from whom");
});

const some = async () => Buffer.alloc(1);

test("a party's large bodies are handled one at a time, others beside them; one that waits too long has to come back later", async () => {
  const bodies = createLargeBodies({ atATime: 4, waitMs: 30 });
  const begun: string[] = [];
  let finish = () => {};
  const held = new Promise<void>((done) => {
    finish = done;
  });
  const take = (party: string) =>
    bodies.take(party, undefined, some, async () => {
      begun.push(party);
      await held;
    });
  const first = [take("a"), take("b")];
  const second = take("a");
  await turn();
  expect(begun).toEqual(["a", "b"]);
  await expect(second).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  finish();
  await Promise.all(first);
  await take("a");
  expect(begun).toEqual(["a", "b", "a"]);
});

test("bodies that are still arriving hold no turn, and a party's a share of the memory until they are over", async () => {
  const bodies = createLargeBodies({ memory: 1_200 });
  const never = new Promise<Buffer>(() => undefined);
  let cut = (_: Error) => {};
  const arriving = new Promise<Buffer>((_, reject) => {
    cut = reject;
  });
  const read = (rest: Promise<Buffer>) => (hold: (bytes: number) => void) => {
    hold(100);
    return rest;
  };
  const work = async (bytes: Buffer) => bytes.length;
  const first = bodies.take("slow", undefined, read(arriving), work);
  for (let count = 1; count < 4; count++) void bodies.take("slow", undefined, read(never), work);
  await expect(bodies.take("slow", undefined, read(never), work)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
  });
  expect(await bodies.take("other", undefined, read(some()), work)).toBe(1);
  cut(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  expect(await bodies.take("slow", undefined, read(some()), work)).toBe(1);
});
