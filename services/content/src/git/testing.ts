import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@octavo/shared/ids";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { listen } from "@octavo/shared/testing/http";
import type { contentTest } from "../testing/content.js";
import { runExport } from "./export/run.js";
import { runImport } from "./import.js";
import * as operations from "./operations.js";
import type { ExportRequest, ImportRequest } from "./schema.js";

type ContentTest = Awaited<ReturnType<typeof contentTest>>;
type Changes = Parameters<ReturnType<ContentTest["as"]>["changeRequests"]["edit"]>[0]["changes"];

/** Repositories that are served by git, and imports of them. */
export function gitTest(t: ContentTest) {
  const admin = t.as({ acme: "admin" });
  const servers: { close(): Promise<unknown> }[] = [];

  async function repositoryOf(files: Record<string, string>): Promise<GitServer> {
    const folder = await mkdtemp(join(tmpdir(), "octavo-source-"));
    await write(folder, files);
    const server = await serveRepository(folder);
    await rm(folder, { recursive: true });
    servers.push(server);
    return server;
  }

  /** A repository that has no commit yet. */
  async function emptyRepository(): Promise<GitServer> {
    const server = await serveRepository();
    servers.push(server);
    return server;
  }

  /** The address of a repository at a host that responds as a test says. */
  async function serving(listener: RequestListener): Promise<string> {
    const server = await listen(createHttpServer(listener));
    servers.push(server);
    return `${server.url}/x.git`;
  }

  async function start(ctx: typeof t.ctx, space: string, direction: "import" | "export", request: object) {
    const id = newId();
    const full = { ref: "refs/heads/main", force: false, ...request };
    const sealed = ctx.vault.seal(JSON.stringify(full), operations.requestOf(id));
    await operations.insert(ctx, { id, space, direction, created_by: "someone", request: sealed });
    return (await operations.findRunning(ctx, id))!;
  }

  /** Runs an import to its end, as the job does, and returns the operation. */
  async function run(spaceId: string, url: string, request: Partial<ImportRequest> = {}, ctx = t.ctx) {
    const operation = await start(ctx, spaceId, "import", { url, standalone: false, ...request });
    await runImport(ctx, operation, new AbortController().signal);
    return (await admin.git.info({ spaceId })).operation!;
  }

  /** Runs an export to its end, as the job does, and returns the operation. */
  async function send(spaceId: string, url: string, request: Partial<ExportRequest> = {}, ctx = t.ctx) {
    const operation = await start(ctx, spaceId, "export", { url, commitMessage: "Export", ...request });
    await runExport(ctx, operation, new AbortController().signal);
    return (await admin.git.info({ spaceId })).operation!;
  }

  /** Merges changes into the primary content of a space. */
  async function edit(spaceId: string, changes: Changes) {
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
    const { result } = await admin.changeRequests.merge({ spaceId, changeRequestId });
    if (result !== "merge") throw new Error("The changes are in conflict");
  }

  const close = () => Promise.all(servers.map((server) => server.close()));
  return { repositoryOf, emptyRepository, serving, start, run, send, edit, close };
}

/**
 * What stands between a repository and its callers: it passes everything on, passes responses on by ten bytes a second,
 * accepts and says nothing, or hangs up.
 */
type Way = "open" | "dripping" | "silent" | "closed";

/** The address of a repository by a server in between, whose way can be changed. It counts the bytes that came back. */
export async function wayTo(address: string) {
  const { hostname, port, pathname } = new URL(address);
  let way: Way = "open";
  let passed = 0;
  let taken = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    taken += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)).on("error", () => undefined);
    if (way === "closed") socket.destroy();
    if (way !== "open" && way !== "dripping") return;
    const on = connect(Number(port), hostname).on("error", () => socket.destroy());
    socket.pipe(on);
    if (way === "dripping") return void drip(on, socket);
    on.on("data", (bytes) => (passed += bytes.length));
    on.pipe(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    /** Bytes that came back since this was last called. */
    passed: () => {
      const bytes = passed;
      passed = 0;
      return bytes;
    },
    /** Connections so far. */
    taken: () => taken,
    set: (to: Way) => {
      way = to;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(closed));
    },
  };
}

async function drip(from: Socket, to: Socket) {
  for await (const bytes of from as AsyncIterable<Buffer>)
    for (const byte of bytes) {
      if (to.destroyed) return void from.destroy();
      to.write(Buffer.of(byte));
      await sleep(100);
    }
}

/** Writes files below a folder. */
export async function write(folder: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The files of a repository's work tree, by their paths. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath ?? entry.path, entry.name));
    if (entry.isFile() && !path.startsWith(`.git${sep}`))
      found[path] = await readFile(join(folder, path), "utf8");
  }
  return found;
}
