import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newId } from "@octavo/shared/ids";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import type { contentTest } from "../testing/content.js";
import { runImport } from "./import.js";
import * as operations from "./operations.js";
import type { ImportRequest } from "./schema.js";

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

  /** Runs an import to its end, as the job does, and returns the operation. */
  async function run(spaceId: string, url: string, request: Partial<ImportRequest> = {}, ctx = t.ctx) {
    const id = newId();
    const full = { url, ref: "refs/heads/main", force: false, standalone: false, ...request };
    await operations.insert(ctx, {
      id,
      space: spaceId,
      created_by: "someone",
      request: ctx.vault.seal(JSON.stringify(full), operations.requestOf(id)),
    });
    await runImport(ctx, (await operations.findRunning(ctx, id))!, new AbortController().signal);
    return (await admin.git.info({ spaceId })).operation!;
  }

  const close = () => Promise.all(servers.map((server) => server.close()));
  return { repositoryOf, run, close };
}

/** Writes files below a folder. */
export async function write(folder: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
