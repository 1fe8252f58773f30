import { type ChildProcess, spawn } from "node:child_process";
import { GitFailure, reasonOf } from "./failure.js";

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
};

/** Starts git on a bare clone, held to http(s), without prompts, hooks or the machine's own settings. */
export function start(
  dir: string,
  args: string[],
  signal: AbortSignal,
  settings: Record<string, string> = {},
): ChildProcess {
  const all = Object.entries({ ...SETTINGS, ...settings });
  const config = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  const env = {
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
  return spawn("git", ["--git-dir", dir, ...args], {
    cwd: dir,
    env,
    signal,
    killSignal: "SIGKILL",
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** What git prints, as it prints it; throws GitFailure with a clear reason when git fails. */
export async function* printed(
  dir: string,
  args: string[],
  signal: AbortSignal,
  settings?: Record<string, string>,
): AsyncGenerator<string> {
  const child = start(dir, args, signal, settings);
  child.stdin!.end();
  let complaint = "";
  child
    .stderr!.setEncoding("utf8")
    .on("data", (text: string) => (complaint = (complaint + text).slice(-4000)));
  const ended = new Promise<void>((done, failed) => {
    child.once("error", (error) => failed(signal.aborted ? (signal.reason ?? error) : error));
    child.once("close", (code) => (code === 0 ? done() : failed(new GitFailure(reasonOf(complaint)))));
  });
  ended.catch(() => undefined);
  yield* child.stdout!.setEncoding("utf8") as AsyncIterable<string>;
  await ended;
}

/** Runs git to its end and answers what it printed; throws GitFailure with a clear reason. */
export async function run(...git: Parameters<typeof printed>): Promise<string> {
  let output = "";
  for await (const text of printed(...git)) output += text;
  return output;
}
