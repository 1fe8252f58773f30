import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { postgresAbove } from "@octavo/launcher/deployables";
import { addressOf } from "@octavo/launcher/postgres";
import { schemas, urlsOf } from "@octavo/launcher/provision";
import { type Stack, startStack } from "../../tests/harness/stack.js";
import { journey, lookAt, type Made } from "./journey.js";

/**
 * `npm run check-upgrade -- <git ref> [<git ref> …]`: whether an earlier release works beside the present schema, and the
 * present release goes on with what it left. Each ref is checked out, installed and built in a temporary worktree and
 * started on data of its own; then the present migrations are applied beside it while it runs. It goes through a journey
 * before and after, its services are killed and start again, and at last the present release starts on the same data.
 * Ends with 1 when anything fails.
 */
const refs = process.argv.slice(2);
if (refs.length === 0) {
  console.error("Usage: npm run check-upgrade -- <git ref> [<git ref> …]");
  process.exit(64);
}

const project = resolve(import.meta.dirname, "../..");
const INSTALLED_WITHIN_MS = 15 * 60_000;
const run = promisify(execFile);
const undo: (() => Promise<unknown>)[] = [];
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)));

let failed = 0;
for (const ref of refs) {
  try {
    await check(ref);
    console.log(`${ref}: passed`);
  } catch (error) {
    failed += 1;
    console.error(`${ref}:`, error);
  } finally {
    await cleanUp();
  }
}
process.exitCode = failed > 0 ? 1 : 0;

async function cleanUp() {
  for (let next = undo.pop(); next; next = undo.pop())
    await next().catch((error: unknown) => console.error(error));
}

async function check(ref: string): Promise<void> {
  const root = await checkedOut(ref);
  const dataDir = await mkdtemp(join(tmpdir(), "octavo-upgrade-"));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const made: Made[] = [];

  const earlier = await started({ root, dataDir });
  made.push(
    await reported(earlier, "the earlier release on its own schema", () => journey(earlier, "alone")),
  );
  await reported(earlier, "the present migrations beside it", () => migrateBeside(earlier));
  made.push(
    await reported(earlier, "the earlier release beside the present schema", () =>
      journey(earlier, "beside"),
    ),
  );
  await reported(earlier, "its services killed and started again", async () => {
    for (const service of schemas) await earlier.kill(join(root, "services", service));
    await earlier.ready();
    for (const one of made) await lookAt(earlier, one);
  });
  await earlier.stop();

  const present = await started({ dataDir });
  await reported(present, "the present release on what it left", async () => {
    for (const one of made) await lookAt(present, one);
    await lookAt(present, await journey(present, "present"));
  });
  await present.stop();
}

/** The folder of a release, installed and built. */
async function checkedOut(ref: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-release-"));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  await run("git", ["worktree", "add", "--detach", folder, ref], { cwd: project });
  undo.push(() => run("git", ["worktree", "remove", "--force", folder], { cwd: project }));
  // What npm says of this project is not for the other.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  for (const args of [
    ["ci", "--no-audit", "--no-fund"],
    ["run", "build"],
  ])
    await run("npm", args, { cwd: folder, env, timeout: INSTALLED_WITHIN_MS, maxBuffer: 64 * 1024 * 1024 });
  console.log(`${ref}: built`);
  return folder;
}

async function started(place: { root?: string; dataDir: string }): Promise<Stack> {
  const stack = await startStack({}, place);
  undo.push(() => stack.stop());
  return stack;
}

/** Does a step; its failure comes with the last that the stack has logged. */
async function reported<T>(stack: Stack, what: string, step: () => Promise<T>): Promise<T> {
  try {
    const result = await step();
    console.log(`  ${what}: passed`);
    return result;
  } catch (cause) {
    const logs = (await stack.logs()).split("\n").filter((line) => /"level":(?:50|60)|error/i.test(line));
    throw new Error(`${what}\n${logs.slice(-20).join("\n")}`, { cause });
  }
}

/** Applies the migrations of this project to the database of a running stack, with the roles of its services. */
async function migrateBeside({ dataDir, port }: Stack): Promise<void> {
  const state = JSON.parse(readFileSync(join(dataDir, "state.json"), "utf8"));
  const adminUrl = addressOf({ port: port + postgresAbove, password: state.postgresPassword });
  const urls = urlsOf(adminUrl, state.passwords);
  for (const service of schemas)
    await run("node", ["dist/migrate.js"], {
      cwd: join(project, "services", service),
      env: { ...process.env, DATABASE_URL: urls[service] },
    });
}
