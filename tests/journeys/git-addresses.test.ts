import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { HANDBOOK, importFolder } from "../harness/furnish.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

let stack: SharedStack;
let call: Client;
let organization: string;
let space: string;
let before: unknown;
const open: (() => Promise<unknown>)[] = [];

interface Operation {
  state: "running" | "failure" | "success";
  error?: string;
  startedAt: string;
}

beforeAll(async () => {
  stack = await sharedStack();
  call = createClient(stack);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = await createSpace();
  await importFolder(call, space, HANDBOOK);
  before = await contentOf(space);
});
afterAll(async () => {
  await Promise.allSettled(open.map((close) => close()));
});

const createSpace = async () =>
  (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Target" })).body.id;

const contentOf = async (space: string): Promise<unknown> => {
  const [content, { body }] = await Promise.all([
    call("GET", `/spaces/${space}/content`),
    call("GET", `/spaces/${space}`),
  ]);
  // Download addresses change with the hour.
  const text = JSON.stringify([content.body, body.revision, body.gitSync, body.updatedAt]);
  return JSON.parse(text.replaceAll(/\/downloads\/[^/]+/g, "/downloads/ticket"));
};

/** Starts an import, and returns the operation when it has ended. */
async function importFrom(
  url: string,
  { into = space, ...more }: { into?: string; ref?: string; repoProjectDirectory?: string } = {},
) {
  const body = { url, ref: "refs/heads/main", ...more };
  expect((await call("POST", `/spaces/${into}/git/import`, body)).status).toBe(204);
  return eventually(async () => {
    const { body } = await call<{ operation: Operation }>("GET", `/spaces/${into}/git/info`);
    return body.operation.state === "running" ? undefined : body.operation;
  });
}

async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serve = (listener: RequestListener) => listen(createHttpServer(listener));

/** The handbook with some of its files replaced, as a repository. */
async function repositoryWith(files: Record<string, string | Buffer>) {
  const repository = await serveRepository(HANDBOOK);
  open.push(repository.close);
  for (const [path, text] of Object.entries(files)) await writeFile(join(repository.folder, path), text);
  await repository.commit("Break it");
  return repository.url;
}

test.each([
  ["a private address", "http://10.1.2.3/x.git"],
  ["the metadata of a cloud", "http://169.254.169.254/latest/meta-data"],
  ["a private address inside of IPv6", "http://[::ffff:192.168.0.1]/x.git"],
  ["a private address as one number", "http://167838211/x.git"],
  ["the unspecified address", "http://0.0.0.0/x.git"],
])("an import from %s fails at once, and the space stays as it was", async (_what, url) => {
  const operation = await importFrom(url);
  expect(operation).toMatchObject({
    state: "failure",
    error: expect.stringContaining("the address is not allowed"),
  });
  expect(await contentOf(space)).toEqual(before);
});

test("a redirect to another address is not followed", async () => {
  let requests = 0;
  const inside = await serve((_, res) => {
    requests++;
    res.end();
  });
  const url = await serve((req, res) => res.writeHead(302, { location: `${inside}${req.url}` }).end());
  expect(await importFrom(`${url}/x.git`)).toMatchObject({
    state: "failure",
    error: expect.stringContaining("redirect"),
  });
  expect(requests).toBe(0);
  expect(await contentOf(space)).toEqual(before);
});

test("what is no repository fails with a reason, and neither it nor a log shows credentials", async () => {
  const missing = await serve((_, res) => res.writeHead(404).end());
  const page = await serve((_, res) =>
    res.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>"),
  );
  const closed = await serve((_, res) => res.writeHead(401, { "www-authenticate": "Basic" }).end());
  const nobody = "http://127.0.0.1:9";
  const reasons = [
    [missing, "There is no git repository at this address"],
    [page, "There is no git repository at this address"],
    [closed, "The repository refused the credentials"],
    [nobody, "The repository could not be reached"],
  ];
  for (const [base = "", error] of reasons) {
    const url = base.replace("//", "//somebody:secret-word@");
    expect(await importFrom(`${url}/x.git`)).toMatchObject({ state: "failure", error });
  }
  expect(await contentOf(space)).toEqual(before);
  expect(await stack.logs()).not.toContain("secret-word");
});

test("a ref or a directory that the repository lacks fails with a reason", async () => {
  const url = await repositoryWith({});
  const ref = await importFrom(url, { ref: "refs/heads/elsewhere" });
  expect(ref).toMatchObject({ state: "failure", error: expect.stringContaining("no such ref") });
  const directory = await importFrom(url, { repoProjectDirectory: "elsewhere" });
  expect(directory).toMatchObject({
    state: "failure",
    error: "The project directory is not in the repository",
  });
  expect(await contentOf(space)).toEqual(before);
});

test.each([
  ["words without links", "# Contents\n\nThis used to be a list.\n", "no list of links"],
  ["a link that is not closed", "# Contents\n\n* [Welcome](README.md\n", "line 3"],
  ["bytes that are no text", Buffer.from([0x23, 0x20, 0x00, 0xff]), "not text"],
])("a SUMMARY.md of %s fails and names the file and the reason", async (_what, summary, reason) => {
  const url = await repositoryWith({ "SUMMARY.md": summary });
  const operation = await importFrom(url);
  expect(operation).toMatchObject({ state: "failure", error: expect.stringContaining("SUMMARY.md") });
  expect(operation.error).toContain(reason);
  expect(await contentOf(space)).toEqual(before);
});

test("a .gitbook.yaml that cannot be read fails and is named", async () => {
  const url = await repositoryWith({ ".gitbook.yaml": "root: [1, 2\nstructure: {" });
  expect(await importFrom(url)).toMatchObject({
    state: "failure",
    error: expect.stringContaining(".gitbook.yaml"),
  });
  expect(await contentOf(space)).toEqual(before);
});

test("a repository without a page fails instead of emptying the space", async () => {
  const folder = await mkdtemp(join(tmpdir(), "octavo-empty-"));
  const repository = await serveRepository(folder);
  open.push(repository.close, () => rm(folder, { recursive: true }));
  const operation = await importFrom(repository.url);
  expect(operation).toMatchObject({ state: "failure", error: "The project directory holds no pages" });
  expect(await contentOf(space)).toEqual(before);
});

/** A server that takes connections and never sends a byte; `taken` are those that are open. */
async function silentServer() {
  const taken = new Set<Socket>();
  const server = createServer((socket) => {
    taken.add(socket);
    socket.once("close", () => taken.delete(socket)).on("error", () => undefined);
  });
  return { url: `${await listen(server)}/x.git`, taken };
}

const createOrganization = async (title: string) =>
  (await call<{ id: string }>("POST", "/orgs", { title })).body.id;

test("a server that accepts and never responds ends in a failure, and delays no other space", async () => {
  const { url } = await silentServer();
  const waiting = importFrom(url);
  const other = await createSpace();
  await importFolder(call, other, HANDBOOK);
  expect(await waiting).toMatchObject({ state: "failure", error: "The repository did not respond in time" });
  expect(await contentOf(space)).toEqual(before);
});

test("a space is not transferred while an import of it runs, and is when it has ended", async () => {
  const { url, taken } = await silentServer();
  const moving = await createSpace();
  const to = await createOrganization("Acquirer");
  const transfer = () =>
    call<{ organization: string }>("POST", `/spaces/${moving}/transfer`, { organization: to });
  const running = importFrom(url, { into: moving });
  await eventually(async () => taken.size > 0);
  expect(await transfer()).toMatchObject({
    status: 412,
    body: { error: { message: expect.stringContaining("a git operation is running") } },
  });
  for (const socket of taken) socket.destroy();
  expect(await running).toMatchObject({ state: "failure" });
  expect((await transfer()).status).toBe(200);
  expect((await call(`GET`, `/spaces/${moving}`)).body).toMatchObject({ organization: to });
});

test("imports of one organization that wait leave slots for the others'", async () => {
  const { url, taken } = await silentServer();
  const [busy, other] = [await createOrganization("Busy"), await createOrganization("Other")];
  const spaceOf = async (organization: string) =>
    (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).body.id;
  const spaces = await Promise.all(Array.from({ length: 5 }, () => spaceOf(busy)));
  const waiting = spaces.map((into) => importFrom(url, { into }));
  await eventually(async () => taken.size === 2);
  await importFolder(call, await spaceOf(other), HANDBOOK);
  expect(taken.size).toBe(2);
  const hangUp = setInterval(() => {
    for (const socket of taken) socket.destroy();
  }, 100);
  for (const operation of await Promise.all(waiting)) expect(operation).toMatchObject({ state: "failure" });
  clearInterval(hangUp);
});
