import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { Refusal } from "../errors.js";
import { type Assembly, createAssembly } from "./pieces.js";
import type { Order, ThreadMessage } from "./serve.js";

/** Work that a thread did not finish: it took too long or too much memory. The caller gets 503. */
export class WorkFailed extends Refusal {
  constructor(message: string) {
    super("SERVICE_UNAVAILABLE", message, { reason: "too_costly" });
  }
}

export interface PoolOptions {
  /** The module that the threads run; it calls `serve`. In a tree of sources it is looked for as TypeScript. */
  module: URL;
  /** What is read, as a refusal names it. */
  subject?: string;
  threads?: number;
  /** Milliseconds that one piece of work may take. */
  deadline?: number;
  /** Megabytes of memory that one thread may take. */
  memory?: number;
  /** Megabytes of them for what it has just made: 16, unless it is said, with more of which it would not be faster. */
  young?: number;
  /** Milliseconds after which a thread that has nothing to do ends, but for those that are kept; without it none ends. */
  rest?: number;
  /** Threads that do not end, those that were started first: one, unless it is said. */
  kept?: number;
}

export interface Pool {
  /**
   * Runs a task of the module on a thread, and resolves with what JSON keeps of its result. Rejects with `WorkFailed` when
   * it took too much, else with what it threw. The buffers of `transfer` are gone from here, and are not copied.
   */
  run(task: string, input: unknown, transfer?: ArrayBuffer[]): Promise<unknown>;
  /** How much was done on threads so far. */
  readonly done: number;
  /** How many threads there are. */
  readonly running: number;
  close(): Promise<void>;
}

interface Job {
  order: Order;
  transfer: ArrayBuffer[];
  /** Of the pieces that came so far. */
  assembly: Assembly;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Milliseconds that a thread may take to load what it works with, which is no part of the work that it is given. */
const LOAD_MS = 60_000;
/** Work that may wait; callers beyond it get 503. */
const MOST_WAITING = 200;

/**
 * A few threads for work that would keep everybody waiting. They start with the first piece of work, one more for each
 * that finds none idle; one that fails ends its own work alone and is replaced.
 */
export function createPool({
  module,
  subject = "Page",
  threads = 2,
  deadline = 30_000,
  memory = 1024,
  young = 16,
  rest,
  kept = 1,
}: PoolOptions): Pool {
  /** In the order that they were started in. */
  const all = new Set<Worker>();
  /** Those that have nothing to do, with what ends them after a while. */
  const idle = new Map<Worker, NodeJS.Timeout | undefined>();
  const loaded = new WeakSet<Worker>();
  const waiting: Job[] = [];
  /** What ends each piece of work that is being done. */
  const ends = new Set<(error: unknown) => void>();
  let done = 0;

  function run(task: string, input: unknown, transfer: ArrayBuffer[] = []): Promise<unknown> {
    if (waiting.length >= MOST_WAITING)
      return Promise.reject(new WorkFailed("Server: too much is waiting to be read"));
    return new Promise((resolve, reject) => {
      waiting.push({ order: { task, input }, transfer, assembly: createAssembly(), resolve, reject });
      next();
    });
  }

  function next(): void {
    if (waiting.length === 0) return;
    // What a thread runs is compiled as it is used, so that the first one, which has done most, is the fastest.
    const worker = [...all].find((one) => idle.has(one)) ?? (all.size < threads ? start() : undefined);
    if (worker) give(worker, waiting.shift()!);
  }

  function start(): Worker {
    const { entry, ...options } = startOf(module);
    const worker = new Worker(entry, {
      ...options,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: young },
    });
    all.add(worker);
    // One that fails while it does nothing is not used again.
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      all.delete(worker);
      idle.delete(worker);
      next();
    });
    return worker;
  }

  function give(worker: Worker, job: Job): void {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    worker.ref();
    const late = () => end(new WorkFailed(`${subject}: takes too long to be read`));
    let timer = setTimeout(late, loaded.has(worker) ? deadline : LOAD_MS);
    const onMessage = (message: ThreadMessage) => {
      if ("loaded" in message) {
        loaded.add(worker);
        clearTimeout(timer);
        timer = setTimeout(late, deadline);
        return;
      }
      if ("piece" in message) {
        job.assembly.add(message.piece);
        if (!message.last) {
          worker.postMessage("next");
          return;
        }
      }
      finish();
      const resting = rest === undefined ? undefined : setTimeout(() => endSpare(worker), rest).unref();
      idle.set(worker, resting);
      worker.unref();
      done += 1;
      if ("failure" in message) job.reject(message.failure);
      else job.resolve(job.assembly.value());
      next();
    };
    const onError = (error: Error & { code?: string }) =>
      end(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? new WorkFailed(`${subject}: takes too much memory to be read`)
          : error,
      );
    const onExit = () => end(new WorkFailed(`${subject}: could not be read`));
    const finish = () => {
      clearTimeout(timer);
      ends.delete(end);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    };
    function end(error: unknown): void {
      finish();
      job.reject(error);
      void worker.terminate();
    }
    ends.add(end);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(job.order, job.transfer);
  }

  /** Ends a thread that has nothing to do, unless it is one of those that are kept. */
  function endSpare(worker: Worker): void {
    if ([...all].indexOf(worker) < kept) return;
    all.delete(worker);
    idle.delete(worker);
    void worker.terminate();
  }

  async function close(): Promise<void> {
    const reason = new WorkFailed("Server: is shutting down");
    for (const { reject } of waiting.splice(0)) reject(reason);
    for (const end of ends) end(reason);
    await Promise.all([...all].map((worker) => worker.terminate()));
  }

  return {
    run,
    close,
    get done() {
      return done;
    },
    get running() {
      return all.size;
    },
  };
}

/** Node runs no TypeScript by itself on all versions that we promise: tests and tools run sources with tsx. */
function startOf(module: URL): { entry: URL; execArgv?: string[] } {
  if (!module.pathname.endsWith(".ts")) return { entry: module };
  const tsx = createRequire(module)
    .resolve("tsx/esm/api")
    .replace(/\.cjs$/, ".mjs");
  const code = `import { register } from ${JSON.stringify(pathToFileURL(tsx).href)};
register();
await import(${JSON.stringify(module.href)});`;
  const entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  return { entry, execArgv: ["--conditions=source"] };
}
