import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGuard } from "./guard.js";
import { startNats } from "./nats.js";
import { freePort } from "./ports.js";
import { startPostgres } from "./postgres.js";

/**
 * Vitest's global set-up: one PostgreSQL and one nats-server for the whole run, in a temporary directory.
 * Sets DATABASE_URL (a superuser's) and NATS_URL, which the workers inherit; given ones are used as they are.
 * Returns the tear-down.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "octavo-test-"));
  chmodSync(directory, 0o755);
  const guard = startGuard(directory);
  const starts = await Promise.allSettled([database(), broker()]);
  const failed = starts.find((start) => start.status === "rejected");
  if (failed) await tearDown();
  if (failed) throw failed.reason;
  return tearDown;

  async function database() {
    if (process.env.DATABASE_URL) return undefined;
    const settings = {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "300",
      autovacuum: "off",
      shared_buffers: "128MB",
    };
    const [dataDir, logFile] = [join(directory, "postgres"), join(directory, "postgres.log")];
    const server = await startPostgres({
      dataDir,
      logFile,
      port: await freePort(),
      password: "test",
      settings,
      guard,
    });
    process.env.DATABASE_URL = server.url;
    return server;
  }

  async function broker() {
    if (process.env.NATS_URL) return undefined;
    const [dataDir, logFile] = [join(directory, "nats"), join(directory, "nats.log")];
    const server = await startNats({ dataDir, logFile, port: await freePort(), guard });
    process.env.NATS_URL = server.url;
    return server;
  }

  async function tearDown() {
    await Promise.all(starts.map((start) => start.status === "fulfilled" && start.value?.stop()));
    guard.release();
    rmSync(directory, { recursive: true, force: true });
  }
}
