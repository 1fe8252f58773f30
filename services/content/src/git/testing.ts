import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { newId } from "@octavo/shared/ids";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import type { contentTest } from "../testing/content.js";
import { runExport } from "./export/run.js";
import { runImport } from "./import.js";
import * as operations from "./operations.js";
import type { ExportRequest, ImportRequest } from "./schema.js";

/** Repositories that are served by git, and imports of them. */
export function gitTest(t: Awaited<ReturnType<typeof contentTest>>) {
  const admin = t.as({ acme: "admin" });
  const servers: GitServer[] = [];

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

  const close = () => Promise.all(servers.map((server) => server.close()));
  return { repositoryOf, emptyRepository, start, run, send, close };
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
