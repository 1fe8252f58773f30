import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { collectGarbage } from "@octavo/shared/memory";
import { expect, test } from "vitest";
import { bodyOf } from "../http/body.js";
import { createRecentResponses } from "./recent-responses.js";

const request = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  ({ method, url, headers }) as unknown as IncomingMessage;

/** What is sent of a request; undefined when it is to be looked at anew. */
function sent(recent: ReturnType<typeof createRecentResponses>, req: IncomingMessage) {
  const got: { status?: number; headers?: string[]; body?: Buffer } = {};
  const res = {
    writeHead(status: number, headers: string[]) {
      Object.assign(got, { status, headers });
      return { end: (body: Buffer) => Object.assign(got, { body }) };
    },
  } as unknown as ServerResponse;
  return recent.send(req, res) ? got : undefined;
}

const CACHE = "public, max-age=0, must-revalidate";

test("a public response is sent again for the same request without credentials, until it expires", () => {
  let now = 0;
  const recent = createRecentResponses(() => now);
  const body = bodyOf("page", { type: "text/html", headers: { "content-security-policy": "none" } });
  recent.keep(request("/sites/a/"), body, CACHE, 1_500);
  const first = sent(recent, request("/sites/a/"))!;
  expect([first.status, String(first.body)]).toEqual([200, "page"]);
  expect(first.headers).toEqual(
    expect.arrayContaining(["etag", body.etag, "content-security-policy", "none"]),
  );
  const known = sent(recent, request("/sites/a/", { "if-none-match": body.etag }))!;
  expect([known.status, known.body]).toEqual([304, undefined]);
  for (const other of [
    request("/sites/a/?b=c"),
    request("/sites/b/"),
    request("/sites/a/", { accept: "text/markdown" }),
    request("/sites/a/", { cookie: "octavo-visitor-1=a.b.c" }),
    request("/sites/a/", { authorization: "Bearer a.b.c" }),
    request("/sites/a/", {}, "HEAD"),
    request("/sites/a/", {}, "POST"),
  ])
    expect(sent(recent, other)).toBeUndefined();
  now = 1_500;
  expect(sent(recent, request("/sites/a/"))).toBeUndefined();
});

test("responses to requests with credentials, or to other methods, are never kept for others", () => {
  const recent = createRecentResponses(() => 0);
  const body = bodyOf("secret", { type: "text/html" });
  const last = bodyOf("nothing", { type: "text/html", status: 404 });
  for (const [req, what] of [
    [request("/a", { cookie: "x=y" }), body],
    [request("/a", { authorization: "Bearer x" }), body],
    [request("/a?jwt_token=a.b.c"), body],
    [request("/a?b=c&preview_token=a.b.c"), body],
    [request("/a?visitor.beta=true"), body],
    [request("/a", {}, "HEAD"), body],
    [request(`/${"a".repeat(600)}`), body],
    [request("/a"), last],
  ] as const) {
    recent.keep(req, what, CACHE, 1_000);
    expect(sent(recent, request(req.url!))).toBeUndefined();
    expect(sent(recent, req)).toBeUndefined();
  }
});

test("a body that is not compressed yet is compressed by the first request that accepts it", () => {
  const recent = createRecentResponses(() => 0);
  const body = bodyOf("page ".repeat(500), { type: "text/html" });
  const req = request("/a", { "accept-encoding": "gzip, br" });
  recent.keep(req, body, CACHE, 1_000);
  expect(sent(recent, req)).toBeUndefined();
  body.brotli = Buffer.from("compressed");
  expect(String(sent(recent, req)!.body)).toBe("compressed");
  expect(sent(recent, req)!.headers).toEqual(expect.arrayContaining(["content-encoding", "br"]));
});

test("a body that nobody else keeps any more is not kept for the next request", async () => {
  const recent = createRecentResponses(() => 0);
  const kept = bodyOf("kept", { type: "text/html" });
  recent.keep(request("/kept"), kept, CACHE, 1_500);
  recent.keep(request("/gone"), bodyOf("gone", { type: "text/html" }), CACHE, 1_500);
  // What a reference was made to in this turn is there until its end.
  await sleep(0);
  collectGarbage();
  expect(String(sent(recent, request("/kept"))?.body)).toBe("kept");
  expect(sent(recent, request("/gone"))).toBeUndefined();
  // This one was referred to until here.
  expect(kept.status).toBe(200);
});
