import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/client.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

// Bodies that cost little to send and a lot to parse, by who may send them and by who may not.

let stack: SharedStack;
let call: Client;
let organization: string;
let edited: string;

beforeAll(async () => {
  stack = await sharedStack();
  call = createClient(stack);
  const { body } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  organization = body.items[0]!.id;
  const made = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Bodies" });
  const space = `/spaces/${made.body.id}`;
  const opened = await call<{ id: string }>("POST", `${space}/change-requests`, {});
  edited = `${space}/change-requests/${opened.body.id}/content`;
});

const post = (path: string, body: string) =>
  call.send("POST", path, { "content-type": "application/json" }, body);
const times = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
const MB = 1_000_000;

const hostile: [string, string, string][] = [
  ["10 MB of brackets", `{"changes":${times("[", 10 * MB)}`, "body: is nested deeper than 256 levels"],
  ["20 MB of objects", `{"changes":[${times("{},", 20 * MB)}{}]}`, "body: holds more than 250000 values"],
  ["30 MB of numbers", `{"changes":[${times("0,", 30 * MB)}0]}`, "body: holds more than 250000 values"],
];

test.each(hostile)(
  "%s is 400 from an editor, and 404 from who names what is not there",
  async (_, body, why) => {
    const { status, body: refusal } = await post(edited, body);
    expect([status, refusal.error]).toMatchObject([400, { message: why }]);
    const unknown = await post("/spaces/none/change-requests/none/content", body);
    expect(unknown.status).toBe(404);
  },
);

test("a script is bounded likewise, and other operations take 256 KiB", async () => {
  const [, , numbers] = [...hostile[2]!];
  const script = await post("/integrations/hostile", `{"script":[${times("{},", 10 * MB)}{}]}`);
  expect([script.status, script.body.error]).toMatchObject([400, { message: numbers }]);
  const title = await post(`/orgs/${organization}/spaces`, JSON.stringify({ title: "x".repeat(300_000) }));
  expect([title.status, title.body.error]).toMatchObject([413, { reason: "body_too_large" }]);
});

test("an edit of a whole book passes", async () => {
  const page = (at: number) => ({
    operation: "insert_page",
    title: `Chapter ${at}`,
    document: { markdown: `# Chapter ${at}\n\n${"A paragraph of words.\n\n".repeat(1_000)}` },
  });
  const changes = Array.from({ length: 20 }, (_, at) => page(at));
  expect((await call("POST", edited, { changes })).status).toBe(200);
});

test("hundreds of bodies that do not end keep nobody from the same service", async () => {
  const head = [
    `POST /v1${edited} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${stack.token}`,
    "Content-Type: application/json",
    "Content-Length: 1000",
  ];
  const { port, hostname } = new URL(stack.base);
  const sockets = await Promise.all(
    Array.from({ length: 600 }, async () => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(`${head.join("\r\n")}\r\n\r\n{`);
      return socket;
    }),
  );
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => call("GET", edited.slice(0, -"/content".length))),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(sockets.filter(({ bytesRead }) => bytesRead > 0)).toHaveLength(0);
  for (const socket of sockets) socket.destroy();
});
