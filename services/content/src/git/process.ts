import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { failureOf } from "./failure.js";

const SETTINGS = {
  "protocol.allow": "never",
  "protocol.http.allow": "always",
  "protocol.https.allow": "always",
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "500",
  "http.lowSpeedTime": "30",
  "core.hooksPath": "/dev/null",
  "core.symlinks": "false",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "fetch.fsckObjects": "false",
  // With little memory: what is large is streamed, and one thread unpacks.
  "core.bigFileThreshold": "16m",
  "core.deltaBaseCacheLimit": "32m",
  "core.packedGitWindowSize": "32m",
  "core.packedGitLimit": "256m",
  "pack.threads": "1",
};

/** Address space of a process of git, in KiB, where the system can limit it: a small pack may unpack to any size. */
const MEMORY = 2 * 1024 ** 2;
/** How much less than requests git gets of a processor that is busy. */
const NICE = 5;
const LIMITED = `ulimit -v ${MEMORY} 2>/dev/null; exec nice -n ${NICE} git "$@"`;

interface GitProcess {
  child: ChildProcessWithoutNullStreams;
  /** Ends git and all that it started; nothing happens when they have ended. */
  kill(): void;
}

interface Surroundings {
  settings?: Record<string, string>;
  env?: Record<string, string>;
}

/** Starts git on a bare clone, held to http(s), without prompts, hooks or the machine's own settings. */
export function startGit(
  dir: string,
  args: string[],
  signal: AbortSignal,
  { settings, env }: Surroundings = {},
): GitProcess {
  const all = Object.entries({ ...SETTINGS, ...settings });
  const config = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const variables = {
    ...env,
    PATH: process.env.PATH,
    HOME: dir,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "true",
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(config),
  };
  signal.throwIfAborted();
  // A group of its own: git leaves it to helpers to talk with the remote, and they go on when it alone is killed.
  const child = spawn("sh", ["-c", LIMITED, "git", "--git-dir", dir, ...args], {
    cwd: dir,
    env: variables,
    detached: true,
  });
  let running = true;
  const kill = () => {
    if (!running || child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  };
  signal.addEventListener("abort", kill, { once: true });
  child.once("close", () => {
    running = false;
    signal.removeEventListener("abort", kill);
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  return { child, kill };
}

/** What git reads. */
type Input = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** What git prints, as it prints it; throws GitError with a clear reason when git fails. */
export async function* printed(
  dir: string,
  args: string[],
  signal: AbortSignal,
  { settings, input = [] }: { settings?: Record<string, string>; input?: Input } = {},
): AsyncGenerator<string> {
  const { child, kill } = startGit(dir, args, signal, { settings });
  let broken: NodeJS.ErrnoException | undefined;
  pipeline(Readable.from(input), child.stdin).catch((error: NodeJS.ErrnoException) => {
    // When git has ended before it read all, its own output says why.
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") broken = error;
    kill();
  });
  let complaint = "";
  child.stderr
    .setEncoding("utf8")
    .on("data", (text: string) => (complaint = (complaint + text).slice(-4000)));
  const ended = new Promise<void>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => {
      if (code === 0) done();
      else failed(signal.aborted ? signal.reason : (broken ?? failureOf(complaint)));
    });
  });
  ended.catch(() => undefined);
  try {
    yield* child.stdout.setEncoding("utf8") as AsyncIterable<string>;
    await ended;
  } finally {
    kill();
  }
}

/** Runs git to its end and returns what it printed; throws GitError with a clear reason. */
export async function run(...git: Parameters<typeof printed>): Promise<string> {
  let output = "";
  for await (const text of printed(...git)) output += text;
  return output;
}
