import type { Logger } from "@octavo/shared/log";
import { Interrupted, type ProcessOptions, type ScriptProcess, startProcess } from "./process.js";
import { type Dispatch, type Reply, type Runtime, ScriptFailed } from "./runtime.js";

export interface PoolOptions extends ProcessOptions {
  /** Processes at a time; those that did nothing for longest make room. */
  processes: number;
  /** Time in ms after which a process without work ends. */
  idleMs: number;
  log: Logger;
}

/** Scripts that one process keeps: new versions are new ones, and old ones stay until it ends. */
const MOST_LOADED = 100;

interface Home {
  process: Promise<ScriptProcess>;
  usedAt: number;
  users: number;
}

/**
 * Runs scripts, those of each organization in a process of their own: what one of them does to its process is felt by no
 * other organization. A process that ends under several events at once is replaced, and they are tried again one by one,
 * so that only the one whose fault it is fails: the one under which a process ends that has run nothing else.
 */
export function createPool({ processes, idleMs, log, ...options }: PoolOptions): Runtime {
  const homes = new Map<string, Home>();
  /** By organization: the end of those events that are tried alone. */
  const alone = new Map<string, Promise<unknown>>();
  let stopped = false;
  const timer = setInterval(() => void endIdle(Date.now() - idleMs), Math.max(1_000, idleMs / 4));
  timer.unref();

  /** The process of an organization, started when there is none. */
  async function homeOf(organization: string): Promise<Home> {
    const known = homes.get(organization);
    if (known && !(await hasEnded(known))) return known;
    if (homes.get(organization) !== known) return homeOf(organization);
    const process = startProcess(options);
    process.catch(() => undefined);
    const home: Home = { process, usedAt: Date.now(), users: 1 };
    homes.set(organization, home);
    if (homes.size > processes) await makeRoom();
    home.users -= 1;
    return home;
  }

  const hasEnded = ({ process }: Home) =>
    process.then(
      (running) => running.ended() || (running.loaded() > MOST_LOADED && running.idle()),
      () => true,
    );

  async function endIdle(before: number, most = Number.POSITIVE_INFINITY): Promise<void> {
    const oldest = [...homes].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [organization, home] of oldest) {
      if (most <= 0) return;
      if (home.users > 0 || home.usedAt > before) continue;
      const running = await home.process.catch(() => undefined);
      if (running && !running.idle()) continue;
      if (home.users > 0 || homes.get(organization) !== home) continue;
      homes.delete(organization);
      await running?.kill("was not needed");
      most -= 1;
    }
  }

  /** Ends the process that did nothing for longest; where all are busy, there is one more for a while. */
  const makeRoom = () => endIdle(Number.POSITIVE_INFINITY, 1);

  async function attempt(dispatch: Dispatch): Promise<Reply> {
    const home = await homeOf(dispatch.organization);
    home.users += 1;
    home.usedAt = Date.now();
    try {
      return await (await home.process).attempt(dispatch);
    } finally {
      home.users -= 1;
      home.usedAt = Date.now();
    }
  }

  /** One after the other with all others of the organization that are tried alone, and beside nothing else. */
  function attemptAlone(dispatch: Dispatch): Promise<Reply> {
    const before = alone.get(dispatch.organization) ?? Promise.resolve();
    const turn = before.then(() => attempt(dispatch).catch(attemptFirst)).catch(fail);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    alone.set(dispatch.organization, settled);
    void settled.then(() => {
      if (alone.get(dispatch.organization) === settled) alone.delete(dispatch.organization);
    });
    return turn;

    // What ran in the process before may have left it as it was; nothing ran in the next one.
    function attemptFirst(error: unknown): Promise<Reply> {
      if (!(error instanceof Interrupted) || error.alone || error.first) throw error;
      return attempt(dispatch);
    }
  }

  function fail(error: unknown): never {
    if (!(error instanceof Interrupted)) throw error;
    throw new ScriptFailed(error.message);
  }

  async function dispatch(dispatch: Dispatch): Promise<Reply> {
    if (stopped) throw new Error("The runtime is stopping");
    for (let turn = alone.get(dispatch.organization); turn; turn = alone.get(dispatch.organization))
      await turn;
    try {
      return await attempt(dispatch);
    } catch (error) {
      if (!(error instanceof Interrupted) || stopped) throw error;
      log.warn({ err: error, organization: dispatch.organization }, "a process for scripts ended");
      if (error.alone) fail(error);
      return attemptAlone(dispatch);
    }
  }

  return {
    dispatch,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      const all = [...homes.values()];
      homes.clear();
      await Promise.all(
        all.map(({ process }) => process.then((one) => one.kill("was stopped")).catch(() => undefined)),
      );
    },
  };
}
