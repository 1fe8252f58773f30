import type { Socket } from "node:net";
import { type Dialect, Kysely } from "kysely";
import pg from "pg";
import type { Logger } from "../log.js";
import { SchemaDialect } from "./introspect.js";
import { parsers } from "./parsers.js";
import { nameStatements, type StatementNames } from "./statements.js";

export interface ConnectOptions {
  url: string;
  /** The service's schema. It and the schema of its jobs are the search path: queries name their tables alone. */
  schema: string;
  /** Connections at most; 10 by default. */
  max?: number;
  /** Settings of PostgreSQL for every session, besides those that all services have. */
  settings?: Record<string, string>;
  /** Shown in pg_stat_activity; the schema by default. */
  applicationName?: string;
  /** A longer statement is cancelled by the server; 30 000 ms by default, 0 for none. */
  statementTimeoutMs?: number;
  log?: Pick<Logger, "warn">;
}

export interface Connection<Database> {
  db: Kysely<Database>;
  pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * Opens a pool on a service's schema. `timestamptz` is read as an ISO 8601 UTC string with milliseconds, `bigint`
 * as a number, `numeric` as a string. A lost connection is replaced at the next query, so a restart of the
 * database heals by itself. Nothing connects before the first query.
 */
export function connect<Database>(options: ConnectOptions): Connection<Database> {
  const { max = 10, log } = options;
  const pool = new pg.Pool({
    ...clientSettings(options),
    // Statements that nobody waits for one by one are on their way together.
    pipeline: true,
    max,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
  });
  const lost = (error: Error) => log?.warn({ err: error }, "a database connection was lost");
  pool.on("error", lost);
  const names: StatementNames = new Map();
  pool.on("connect", (client) => {
    client.on("error", lost);
    sendTogether(client);
    readInPieces(client);
    nameStatements(client, names);
    retireWhenShut(client);
  });
  const db = new Kysely<Database>({ dialect: new SchemaDialect({ pool }, options.schema) as Dialect });
  let closing: Promise<void> | undefined;
  return {
    db,
    pool,
    close: () => {
      closing ??= db.destroy().then(() => (pool.ended ? undefined : pool.end()));
      return closing;
    },
  };
}

/** What every client of a service is opened with, in a pool or alone. */
export function clientSettings(options: Omit<ConnectOptions, "max" | "log">): pg.ClientConfig {
  const { url, schema, settings, applicationName = schema, statementTimeoutMs = 30_000 } = options;
  const path = `${quoted(schema)},${quoted(jobsSchema(schema))}`;
  return {
    connectionString: withSession(url, {
      ...settings,
      search_path: path,
      timezone: "UTC",
      statement_timeout: String(statementTimeoutMs),
    }),
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: parsers,
  };
}

/** Bytes that a socket is read by at once. */
const WHOLE_READ = 64 * 1024;

// A long result that is there already would be read to its end in one turn of the event loop: 2 MB of rows take 40 ms.
function readInPieces(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.on("data", (bytes: Buffer) => {
    if (bytes.length < WHOLE_READ) return;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}

// What is sent in one turn of the event loop leaves by one system call.
function sendTogether(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  let isHeld = false;
  const release = () => {
    isHeld = false;
    stream.uncork();
  };
  client.query = ((...args: unknown[]) => {
    if (!isHeld) {
      isHeld = true;
      stream.cork();
      process.nextTick(release);
    }
    return plain(...args);
  }) as pg.PoolClient["query"];
}

// A server that shuts down says so before it closes the socket: the pool must not lend the client in between.
function retireWhenShut(client: pg.PoolClient) {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  const retire = (error: { code?: string }) => {
    if (!error.code?.startsWith("57P0")) return;
    (client as unknown as pg.Client).end().catch(() => undefined);
  };
  client.query = ((...args: unknown[]) => {
    const result = plain(...args);
    if (result instanceof Promise) result.catch(retire);
    return result;
  }) as pg.PoolClient["query"];
}

// Settings travel in the start-up packet: a connection is never without them, not even for its first query.
function withSession(url: string, settings: Record<string, string>): string {
  const flags = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, "\\$&")}`,
  );
  const given = new URL(url).searchParams.get("options");
  const options = encodeURIComponent([given, ...flags].filter(Boolean).join(" "));
  return `${url}${url.includes("?") ? "&" : "?"}options=${options}`;
}

/** The schema of a service's job queue; the queue's functions are found there by their names alone. */
export const jobsSchema = (schema: string) => `${schema}_jobs`;

const quoted = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;
