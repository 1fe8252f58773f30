import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { senderTo, serveRouter, userWith } from "../testing/service.js";
import { surroundingsOf } from "../testing/surroundings.js";
import { createApi } from "../trpc.js";
import { skipOutputValidation } from "./skip-output-validation.js";
import { type WrittenJson, writeJson } from "./written-json.js";

const value = { words: Array.from({ length: 20_000 }, (_, at) => `word ${at} é`) };
const { router, get } = createApi();
let kept: WrittenJson;
const rule = (etag?: string) => async (call: { ctx: object }) => {
  const { reply } = call.ctx as { reply: { headers: Record<string, string> } };
  if (etag !== undefined) Object.assign(reply.headers, { etag, vary: "authorization" });
  return kept as never;
};
const output = skipOutputValidation(z.object({ words: z.array(z.string()) }));

let send: ReturnType<typeof senderTo>;
let close: () => Promise<unknown>;
beforeAll(async () => {
  const { verifier, sign, log, urls } = surroundingsOf("content");
  const api = router({
    plain: get("/plain", { summary: "Words" }).output(output).query(rule()),
    tagged: get("/tagged", { summary: "Words" }).output(output).query(rule('"tag"')),
  });
  const base = { urls, log, clock: () => new Date() };
  const server = await serveRouter({ name: "content", router: api, verifier, base, log });
  close = server.close;
  send = senderTo(server.url, () => sign(userWith({})));
});
afterAll(() => close());

const formOf = ({ headers }: { headers: Headers }) =>
  ["content-encoding", "vary", "etag"].map((name) => headers.get(name));

test("a value that was written is sent as it is the first time, and compressed from then on", async () => {
  kept = await writeJson(value);
  expect(kept.parse()).toEqual(value);
  const first = await send("GET", "/v1/plain");
  expect([first.status, ...formOf(first)]).toEqual([200, null, null, null]);
  expect(Number(first.headers.get("content-length"))).toBe(kept.length);
  const second = await send("GET", "/v1/plain");
  expect([second.status, ...formOf(second)]).toEqual([200, "gzip", "accept-encoding", null]);
  expect(Number(second.headers.get("content-length"))).toBeLessThan(kept.length / 3);
  for (const { body } of [first, second]) expect(body).toEqual(value);
  expect(kept.gzipped()).toBe(kept.gzipped());
});

test("whoever does not take gzip gets the plain form; a strong tag becomes a weak one of the compressed form", async () => {
  kept = await writeJson(value);
  const encoded = (encoding: string, method = "GET") =>
    send(method, "/v1/tagged", undefined, { "accept-encoding": encoding });
  await encoded("identity");
  await encoded("gzip");
  const none = await encoded("identity");
  expect(formOf(none)).toEqual([null, "authorization", '"tag"']);
  expect(none.body).toEqual(value);
  const refused = await encoded("gzip;q=0");
  expect(formOf(refused)).toEqual([null, "authorization", '"tag"']);
  const taken = await encoded("br, gzip");
  expect(formOf(taken)).toEqual(["gzip", "authorization, accept-encoding", 'W/"tag"']);
  expect(taken.body).toEqual(value);
  const head = await encoded("gzip", "HEAD");
  expect([head.headers.get("content-length"), head.body]).toEqual([String(kept.length), undefined]);
});

test("what is packed takes less memory, and is sent the same to all", async () => {
  kept = await writeJson({ words: value.words.slice(0, 5_000) });
  const plain = kept.held;
  expect(kept.pack().held).toBeLessThan(plain / 3);
  for (const encoding of ["identity", "gzip", "gzip"]) {
    const { status, body, headers } = await send("GET", "/v1/plain", undefined, {
      "accept-encoding": encoding,
    });
    expect([status, headers.get("content-encoding")]).toEqual([200, encoding === "gzip" ? "gzip" : null]);
    expect(body).toEqual({ words: value.words.slice(0, 5_000) });
  }
  const [few, many] = [await writeJson("few"), await writeJson(value.words)];
  for (const each of [few, many]) expect(each.pack().held).toBe(Math.ceil(1.25 * each.length));
  expect(many.parse()).toEqual(value.words);
});
