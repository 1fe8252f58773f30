import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../log.js";
import { clientSettings } from "./connect.js";
import { nameStatements } from "./statements.js";

export interface LeaderOptions {
  url: string;
  schema: string;
  /** What is led: one copy of the service at a time does it. */
  role: string;
  /** A channel to LISTEN on while leading. */
  channel?: string;
  onNotify?: () => void;
  /** Settings of PostgreSQL for the session. */
  settings?: Record<string, string>;
  log: Pick<Logger, "warn" | "debug">;
}

export interface LeaderSession {
  /** The connection that holds the leadership; what is written through it is written by the leader. */
  client: pg.Client;
  /** Aborts when the leadership is lost or given up. */
  signal: AbortSignal;
}

/**
 * For leaders whose writes are done again when a crash of the server takes the last of them: what they commit is not
 * waited for until it is on the disk. The server keeps the order of commits, so it never has a later one alone.
 */
export const REPEATABLE = { synchronous_commit: "off" };

const POLL_MS = 1_000;

/**
 * Runs `work` in one copy of the service at a time: the one whose connection holds an advisory lock. When that
 * copy dies another one takes over within about a second. A lost connection, or an error of `work`, ends the
 * turn; then the lock is sought anew.
 */
export function runAsLeader(options: LeaderOptions, work: (turn: LeaderSession) => Promise<void>) {
  const stopping = new AbortController();
  const running = keepTrying(options, work, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function keepTrying(
  options: LeaderOptions,
  work: (turn: LeaderSession) => Promise<void>,
  stop: AbortSignal,
) {
  const { log, role } = options;
  let failing = false;
  while (!stop.aborted) {
    try {
      await takeTurn(options, work, stop, () => {
        failing = false;
      });
    } catch (error) {
      // The first failure is news, the ones that follow it are not.
      log[failing ? "debug" : "warn"]({ err: error, role }, "a turn as leader ended early");
      failing = true;
    }
    if (!stop.aborted) await sleep(POLL_MS / 2, undefined, { signal: stop }).catch(() => undefined);
  }
}

async function takeTurn(
  options: LeaderOptions,
  work: (turn: LeaderSession) => Promise<void>,
  stop: AbortSignal,
  onWorking: () => void,
) {
  const { url, schema, role, channel, onNotify, settings } = options;
  const client = new pg.Client({
    ...clientSettings({ url, schema, settings, applicationName: `${schema} ${role}` }),
    connectionTimeoutMillis: 5_000,
  });
  // What a leader does it does again and again.
  nameStatements(client, new Map());
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort(new Error("the connection ended")));
  if (onNotify) client.on("notification", onNotify);
  const signal = AbortSignal.any([stop, lost.signal]);
  try {
    await client.connect();
    await seekLock(client, `${schema}.${role}`, signal);
    if (signal.aborted) return;
    if (channel) await client.query(`listen ${client.escapeIdentifier(channel)}`);
    onWorking();
    await work({ client, signal });
    if (!stop.aborted && lost.signal.aborted) throw lost.signal.reason;
  } finally {
    lost.abort();
    await client.end().catch(() => undefined);
  }
}

async function seekLock(client: pg.Client, key: string, signal: AbortSignal) {
  // A blocking wait would hold a snapshot, and with it the vacuum of the whole database.
  while (!signal.aborted) {
    const { rows } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as mine",
      [`octavo.leader.${key}`],
    );
    if (rows[0]?.mine) return;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
