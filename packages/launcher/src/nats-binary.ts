import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { run } from "./run.js";

/** Where fetched programs are kept for every checkout of this user. */
function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "octavo");
}

/**
 * The path of a nats-server: installed, fetched before, or fetched now from the system's packages without
 * installing it. `fallback` is used as the cache when the user's own cannot be written.
 */
export async function natsBinary({
  fallback,
  onFetch,
}: {
  fallback: string;
  onFetch?: () => void;
}): Promise<string> {
  const installed = onPath();
  if (installed) return installed;
  const caches = [cacheDirectory(), fallback];
  const cached = caches.map(inCache).find(isProgram);
  if (cached) return cached;
  const cache = caches.find(isWritable);
  if (!cache) throw new Error(`Neither ${caches.join(" nor ")} can be written`);
  onFetch?.();
  return fetchWithApt(cache);
}

function onPath(): string | undefined {
  const usual = ["/usr/local/bin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"];
  const directories = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...usual];
  return directories.map((directory) => join(directory, "nats-server")).find(isProgram);
}

const inCache = (cache: string) => join(cache, `nats-server-${process.platform}-${process.arch}`);

// Only one file is wanted, so the package is unpacked aside; its own rights and scripts play no part.
async function fetchWithApt(cache: string): Promise<string> {
  const work = mkdtempSync(join(cache, "fetch-"));
  try {
    const problem = await download(work);
    const [archive] = readdirSync(work).filter((name) => name.endsWith(".deb"));
    if (!archive) throw new Error(howToInstall(problem));
    const unpacked = await run("dpkg", ["-x", archive, "unpacked"], { cwd: work });
    if (!unpacked.ok) throw new Error(howToInstall(unpacked.output));
    const program = join(work, "nats-server");
    copyFileSync(join(work, "unpacked/usr/sbin/nats-server"), program);
    renameSync(program, inCache(cache));
    return inCache(cache);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

// The package lists may be missing (containers drop them). Private ones need no root and leave the system alone.
async function download(work: string): Promise<string> {
  const lists = join(work, "lists");
  const archives = join(work, "archives");
  for (const path of [lists, archives]) mkdirSync(join(path, "partial"), { recursive: true });
  const aside = ["-q", "-o", `Dir::Cache=${archives}`, "-o", "Debug::NoLocking=1"].concat(
    process.getuid?.() === 0 ? ["-o", "APT::Sandbox::User=root"] : [],
  );
  const first = await apt([...aside, "download", "nats-server"], work);
  if (first.ok) return "";
  const own = [...aside, "-o", `Dir::State::Lists=${lists}`];
  await apt([...own, "update"], work);
  return (await apt([...own, "download", "nats-server"], work)).output;
}

function apt(args: string[], cwd: string) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  return run("apt-get", args, { cwd, env, timeout: 120_000 });
}

function howToInstall(problem: string): string {
  const how =
    process.platform === "darwin"
      ? "Run: brew install nats-server"
      : "Install the package nats-server of your system, or put the program on the PATH";
  const reason = problem ? ` (${problem.split("\n").at(-1)})` : "";
  return `There is no nats-server on this machine, and it could not be fetched${reason}.\n${how}, or give NATS_URL of a server with JetStream`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isWritable(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
