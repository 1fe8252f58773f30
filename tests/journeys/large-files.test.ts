import { createHash, randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/client.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

const MOST = 20 * 1024 * 1024;

let stack: SharedStack;
let call: Client;
let space: string;
let content: string;

beforeAll(async () => {
  stack = await sharedStack();
  call = createClient(stack);
  const { body } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  const made = await call<{ id: string }>("POST", `/orgs/${body.items[0]!.id}/spaces`, { title: "Files" });
  space = `/spaces/${made.body.id}`;
  const opened = await call<{ id: string }>("POST", `${space}/change-requests`, {});
  content = `${space}/change-requests/${opened.body.id}/content`;
});

interface File {
  name: string;
  size: number;
  downloadURL: string;
}
const files = async () => (await call<{ items: File[] }>("GET", `${content}/files`)).body.items;
const insert = (name: string, bytes: Buffer) =>
  call("POST", content, {
    changes: [{ operation: "insert_files", files: [{ name, base64: bytes.toString("base64") }] }],
  });

test("a file of 20 MB is sent inside a change, and comes back byte for byte", async () => {
  const bytes = randomBytes(MOST);
  expect((await insert("large.bin", bytes)).status).toBe(200);
  const [file] = await files();
  expect(file).toMatchObject({ name: "large.bin", size: MOST });
  const download = await fetch(file!.downloadURL);
  expect(download.status).toBe(200);
  const sha = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
  expect(sha(new Uint8Array(await download.arrayBuffer()))).toBe(sha(bytes));
});

test("a file that is too large is 413 with its path, a body that is too large as well; neither changes anything", async () => {
  const before = await files();
  const file = await insert("larger.bin", Buffer.alloc(MOST + 1));
  expect(file).toMatchObject({
    status: 413,
    body: {
      error: {
        code: 413,
        message: expect.stringMatching(/^body\.changes\.0\.files\.0: larger than 20971520/),
      },
    },
  });
  const body = await insert("largest.bin", Buffer.alloc(25 * 1024 * 1024));
  expect(body).toMatchObject({
    status: 413,
    body: {
      error: {
        code: 413,
        reason: "body_too_large",
        message: expect.stringMatching(/larger than 33554432 bytes/),
      },
    },
  });
  const others = await files();
  expect(others.map(({ name, size }) => [name, size])).toEqual(before.map(({ name, size }) => [name, size]));
});
