import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { REUSABLE_HEADER } from "@octavo/shared/rest/not-modified";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ada, authorized, startGateway, type TestGateway } from "./testing.js";

let gateway: TestGateway;
/** The body that the service has now. */
let text: string;
/** Requests that the service has not responded to yet, while it holds them. */
let held: { req: IncomingMessage; respond: () => void }[];
let isHolding: boolean;
let status: number;
/** The status of each response of the service. */
let sent: number[];
/** Requests that this test has sent by the first caller. */
let asked: number;

const READS = 100_000;

beforeEach(async () => {
  [text, held, isHolding, status, sent, asked] = ["words ".repeat(20_000), [], false, 200, [], 0];
  gateway = await startGateway({
    resolve: async (token) => ({ caller: { ...ada, id: `user of ${token}`, token } }),
    timeoutMs: 2_000,
    reads: READS,
    upstream: (req, res) => {
      if (req.url === "/v1/spaces/other") res.end();
      else if (isHolding) held.push({ req, respond: () => respond(req, res) });
      else respond(req, res);
    },
  });
});
afterEach(() => gateway.stop());

function respond(req: IncomingMessage, res: ServerResponse) {
  const etag = `"${text.length}"`;
  const isKnown = req.headers["if-none-match"]?.includes(etag) ?? false;
  const code = status === 200 && isKnown ? 304 : status;
  sent.push(code);
  const body = code === 200 ? text : "";
  const type = { "content-type": "application/json", [REUSABLE_HEADER]: "1" };
  res.writeHead(code, { etag, ...(code !== 304 && { ...type, "content-length": body.length }) }).end(body);
}

interface Got {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Reads the body; `leave` gives the request up. */
function get(headers: Record<string, string> = {}): { got: Promise<Got>; leave: () => void } {
  let leave = () => {};
  if (!headers.authorization) asked += 1;
  const got = new Promise<Got>((resolve, reject) => {
    const all = { ...authorized, ...headers };
    const sending = request(`${gateway.url}/v1/spaces/s`, { headers: all, agent: false }, async (res) => {
      let body = "";
      for await (const chunk of res) body += chunk;
      resolve({ status: res.statusCode!, headers: res.headers, body });
    });
    sending.on("error", reject).end();
    leave = () => sending.destroy();
  });
  return { got, leave };
}

const heldAre = (count: number) => expect.poll(() => held.length).toBe(count);
/** Until the gateway has got what was sent to it so far, which it counts. */
const arrived = () =>
  expect
    .poll(async () => {
      asked += 1;
      const { headers } = await fetch(`${gateway.url}/v1/spaces/other`, { headers: authorized });
      return READS - Number(headers.get("x-ratelimit-remaining")) - asked;
    })
    .toBe(0);
const all = (requests: { got: Promise<Got> }[]) => Promise.all(requests.map(({ got }) => got));

/** Has the body kept, and one request at the service that holds it. */
async function oneIsHeld() {
  await get().got;
  isHolding = true;
  const first = get();
  await heldAre(1);
  return first;
}

/** So many requests that wait for the one that is with the service. */
async function waitFor(count: number) {
  const waiting = Array.from({ length: count }, () => get());
  await arrived();
  expect(held.length).toBe(1);
  return waiting;
}

test("requests that come while one is with the service share the next, each with an id of its own", async () => {
  const first = await oneIsHeld();
  const others = await waitFor(5);
  held[0]!.respond();
  await heldAre(2);
  held[1]!.respond();
  const got = await all([first, ...others]);
  expect(sent).toEqual([200, 304, 304]);
  for (const { status, body, headers } of got)
    expect([status, body === text, headers.etag]).toEqual([200, true, `"${text.length}"`]);
  expect(new Set(got.map(({ headers }) => headers["x-request-id"])).size).toBe(6);
});

test("what changed before a request came is seen by it", async () => {
  const first = await oneIsHeld();
  const former = text;
  held[0]!.respond();
  expect((await first.got).body).toBe(former);
  const second = get();
  await heldAre(2);
  held[1]!.respond();
  text = "other words ".repeat(20_000);
  isHolding = false;
  const others = [get(), get(), get()];
  for (const { body } of await all(others)) expect(body).toBe(text);
  expect((await second.got).body).toBe(former);
});

test("a refusal is each one's own", async () => {
  const first = await oneIsHeld();
  const others = await waitFor(3);
  status = 403;
  held[0]!.respond();
  expect((await first.got).status).toBe(403);
  await heldAre(2);
  isHolding = false;
  held[1]!.respond();
  expect((await all(others)).map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(sent).toEqual([200, 403, 403, 403, 403]);
});

test("another caller, and one who has a body, are asked for by themselves", async () => {
  const first = await oneIsHeld();
  const another = get({ authorization: "Bearer test-token-9876543210" });
  await heldAre(2);
  const having = get({ "if-none-match": `"${text.length}"` });
  await heldAre(3);
  for (const { respond } of held) respond();
  expect((await all([first, another, having])).map(({ status }) => status)).toEqual([200, 200, 304]);
  const identities = held.slice(0, 2).map(({ req }) => req.headers["x-octavo-identity"]);
  expect(new Set(identities).size).toBe(2);
});

test("a client that goes away takes nobody else along", async () => {
  const first = await oneIsHeld();
  const [second, ...others] = await waitFor(4);
  first.leave();
  await expect(first.got).rejects.toThrow();
  await heldAre(2);
  const last = others.pop()!;
  last.leave();
  await expect(last.got).rejects.toThrow();
  held[1]!.respond();
  expect((await all([second!, ...others])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(sent).toEqual([200, 304]);
});

test("each waits as long as a request may take, and no longer", async () => {
  const first = await oneIsHeld();
  const others = await waitFor(2);
  expect((await all([first, ...others])).map(({ status }) => status)).toEqual([504, 504, 504]);
  isHolding = false;
  expect((await get().got).status).toBe(200);
});
