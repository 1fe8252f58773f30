import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@octavo/shared/ids";
import type { TraceLog } from "../schemas/event.js";
import { AFTERWARDS_MS, PROCESS_FILES } from "./dispatcher.js";
import { startHost } from "./host.js";
import { type Dispatch, type Reply, type Script, ScriptFailed } from "./runtime.js";

export interface ProcessOptions {
  /** The program. */
  workerd: string;
  /** MB of memory that the process may take. */
  memory: number;
  /** Time in ms that a script may take to respond. */
  timeoutMs: number;
  /** Makes the way out of the process, which it shares with no other. */
  outbound: () => (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

/**
 * The process ended under an event; `alone` when nothing but that event could be why: we ended it, and no other was under
 * way. One that ended by itself may have been ended by anybody, also by what left it without memory; `first` when nothing
 * ran in it before.
 */
export class Interrupted extends Error {
  readonly alone: boolean;
  readonly first: boolean;
  constructor(message: string, { alone = false, first = false } = {}) {
    super(message);
    this.alone = alone;
    this.first = first;
  }
}

/** A response that began and did not come to its end. */
class BrokenOff extends Error {}

/** One process that runs the scripts of one organization. */
export interface ScriptProcess {
  attempt(dispatch: Dispatch): Promise<Reply>;
  /** Whether nothing happens in it. */
  idle(): boolean;
  ended(): boolean;
  /** How many scripts it has loaded. */
  loaded(): number;
  kill(reason: string): Promise<void>;
}

const START_MS = 10_000;
/** A process that does not respond for so long is busy with one script and nothing else. */
const FROZEN_MS = 4_000;
const WATCH_MS = 1_000;
/** So long after nobody waits for the response of a script, what it does for that ends. */
const GIVEN_UP_MS = 500;
/** What is said of a process that nobody here has ended. */
const ENDED_BY_ITSELF = "ended by itself, as it does without memory";
/** Most bytes of a response. */
const MOST_BYTES = 10 * 1024 * 1024;

// The process ends with us: when the pipe that is its input closes, for whatever reason, it is killed.
const LIMITED = `exec 3<&0; ulimit -d "$0" 2>/dev/null; "$@" </dev/null 3<&- & pid=$!
{ read -r _ <&3; kill -9 $pid 2>/dev/null; } & reader=$!
exec 3<&-; wait $pid; kill $reader 2>/dev/null`;

/** Starts a process; throws when it is not ready within ten seconds. */
export async function startProcess(options: ProcessOptions): Promise<ScriptProcess> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-scripts-"));
  const scripts = new Map<string, Script>();
  /** Events whose logs are still to come, with what waits for them. */
  const open = new Map<string, (logs: TraceLog[]) => void>();
  /** Events that wait for their response. */
  const waiting = new Set<string>();
  let over: string | undefined;
  /** Whether we ended it, for what happened in it. */
  let byUs = false;
  /** Events that were not over when the process ended. */
  let together = 0;
  /** Events that it has begun. */
  let begun = 0;

  for (const [name, text] of Object.entries(PROCESS_FILES)) await writeFile(join(folder, name), text);
  const host = await startHost({
    socket: join(folder, "host.sock"),
    script: (key) => scripts.get(key),
    onLogs: (delivery, logs) => open.get(delivery)?.(logs),
    outbound: options.outbound(),
  });
  const command = [options.workerd, "serve", "--experimental", "config.capnp"];
  const child = spawn("/bin/sh", ["-c", LIMITED, String(options.memory * 1024), ...command], {
    cwd: folder,
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  const exit = once(child, "exit").catch(() => undefined);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const gone = exit.then(async () => {
    note(ENDED_BY_ITSELF);
    clearInterval(watch);
    child.stdin.destroy();
    agent.destroy();
    for (const [, end] of open) end([]);
    await host.close();
    await rm(folder, { recursive: true, force: true });
  });
  const watch = setInterval(() => void lookAfter(), WATCH_MS);
  watch.unref();

  function note(reason: string): void {
    if (over === undefined) together = open.size;
    over ??= reason;
  }

  /** Counts the process as ended, as it cannot be reached: its exit may be seen later than that. */
  function giveUp(): void {
    note(ENDED_BY_ITSELF);
    child.stdin.destroy();
  }

  async function kill(reason: string): Promise<void> {
    byUs ||= over === undefined;
    note(reason);
    child.stdin.destroy();
    await gone;
  }

  let looking = false;
  async function lookAfter(): Promise<void> {
    if (looking || open.size === 0) return;
    looking = true;
    const state = await stateWithin(FROZEN_MS - WATCH_MS);
    looking = false;
    if (state === "frozen" && !over)
      await kill(`was ended: a script let nothing else run for ${FROZEN_MS / 1000} s`);
  }

  type State = "alive" | "frozen" | "gone";

  async function ping(ms: number): Promise<State> {
    const signal = AbortSignal.timeout(ms);
    return call({ path: "/ping", method: "GET", signal }).then(
      () => "alive",
      () => (signal.aborted ? "frozen" : "gone"),
    );
  }

  /** Whether the process responds within a time in ms; no script is to blame for one that is gone. */
  async function stateWithin(ms: number): Promise<State> {
    const state = await ping(ms);
    // It may be our own process that was busy, and the response is still to be read.
    return state === "alive" ? state : ping(WATCH_MS);
  }

  async function call(asked: {
    path: string;
    method: string;
    headers?: Record<string, string | number>;
    body?: Buffer;
    signal: AbortSignal;
  }): Promise<Omit<Reply, "logs">> {
    const { body, ...rest } = asked;
    const outgoing = request({ socketPath: join(folder, "events.sock"), agent, host: "script", ...rest });
    // An abort after the response began concerns nobody who waits; without a listener it would end our own process.
    outgoing.on("error", () => undefined);
    outgoing.end(body);
    const [response] = (await once(outgoing, "response", { signal: asked.signal })) as [IncomingMessage];
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > MOST_BYTES) throw new ScriptFailed(`The response is larger than ${MOST_BYTES} bytes`);
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof ScriptFailed) throw error;
      throw new BrokenOff("The response ended early", { cause: error });
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  }

  async function attempt({ script, body, contentType, signal }: Dispatch): Promise<Reply> {
    if (over) throw new Interrupted(`The process ${over}`);
    begun += 1;
    scripts.set(script.key, script);
    const delivery = newId();
    waiting.add(delivery);
    const logs = new Promise<TraceLog[]>((resolve) => {
      const late = setTimeout(() => end([]), AFTERWARDS_MS);
      late.unref();
      const end = (logs: TraceLog[]) => {
        clearTimeout(late);
        open.delete(delivery);
        resolve(logs);
      };
      open.set(delivery, end);
    });
    const deadline = AbortSignal.timeout(options.timeoutMs);
    try {
      const response = await call({
        path: "/v1",
        method: "POST",
        headers: {
          "content-type": contentType,
          "content-length": body.length,
          "x-octavo-script": script.key,
          "x-octavo-delivery": delivery,
          "x-octavo-timeout": options.timeoutMs + GIVEN_UP_MS,
        },
        body,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      const threw = response.headers["x-octavo-threw"];
      if (threw === undefined) return { ...response, logs };
      const message = `The script failed: ${decodeURIComponent(String(threw))}`;
      throw new ScriptFailed(message, await soon(logs));
    } catch (error) {
      if (error instanceof ScriptFailed || signal?.aborted) throw error;
      if (deadline.aborted) throw await tooSlow(await Promise.race([logs, sleep(200, [], { ref: false })]));
      if (!over && (await stateWithin(WATCH_MS)) === "gone") giveUp();
      if (error instanceof BrokenOff && !over)
        throw new ScriptFailed("The script did not end its response", await soon(logs));
      throw new Interrupted(`The process ${over ?? "did not take the event"}`, {
        alone: byUs && together === 1,
        first: over !== undefined && begun === 1,
      });
    } finally {
      waiting.delete(delivery);
    }
  }

  const soon = (logs: Promise<TraceLog[]>) => Promise.race([logs, sleep(500, [], { ref: false })]);

  /**
   * The script did not respond in time. Where the process does not respond either, it is of no use any more, and any of
   * the scripts that ran in it may be why.
   */
  async function tooSlow(logs: TraceLog[]): Promise<Error> {
    const state = await stateWithin(WATCH_MS);
    if (state === "frozen" && !over) await kill("was ended: a script let nothing else run");
    if (state === "gone") giveUp();
    if (state !== "alive")
      return new Interrupted(`The process ${over}`, { alone: byUs && together === 1, first: begun === 1 });
    return new ScriptFailed(`The script did not respond within ${options.timeoutMs / 1000} s`, logs);
  }

  const until = Date.now() + START_MS;
  while ((await ping(WATCH_MS)) !== "alive") {
    if (over || Date.now() > until) {
      await kill("did not start");
      throw new Error(`The process for scripts ${over}`);
    }
    await sleep(10);
  }
  return {
    attempt,
    idle: () => open.size === 0 && waiting.size === 0,
    ended: () => over !== undefined,
    loaded: () => scripts.size,
    kill,
  };
}
