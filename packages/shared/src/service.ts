import { setTimeout as sleep } from "node:timers/promises";
import type { AnyRouter } from "@trpc/server";
import type { Kysely, Migration } from "kysely";
import { sql } from "kysely";
import type { ServiceConfig } from "./config.js";
import type { BaseContext } from "./context.js";
import type { ServiceName } from "./contracts/callers.js";
import { logFatal } from "./database/away.js";
import { type Connection, connect } from "./database/connect.js";
import { migrate } from "./database/migrate.js";
import type { SharedTables } from "./database/shared-tables.js";
import { drainable } from "./drain.js";
import { createEgress, type Egress } from "./egress/client.js";
import { startConsumer } from "./events/consumer.js";
import type { Subscription } from "./events/listen.js";
import { startRelay } from "./events/relay.js";
import { createEventSigner, createEventVerifier } from "./events/signature.js";
import { createHttpServer } from "./http.js";
import { createSigner, createVerifier } from "./identity.js";
import { newId } from "./ids.js";
import type { JobHandler, Schedule } from "./jobs/handle.js";
import { startJobs } from "./jobs/start.js";
import { createLog, type Logger } from "./log.js";
import { collectAfterStart } from "./memory.js";
import type { RawRoute } from "./rest/handler.js";
import { createVault, type Vault } from "./secrets.js";
import { createUrls, type Urls } from "./urls.js";

/** What every service is given to build its own dependencies from. */
export interface Foundation<Database> {
  db: Kysely<Database>;
  log: Logger;
  urls: Urls;
  egress: Egress;
  vault: Vault;
  /** The service's own signed identity, for calls that no user asked for. */
  ownIdentity: () => Promise<string>;
}

/** A part of a service that runs beside its requests and its jobs. */
export interface Worker {
  stop(): Promise<void>;
}

interface Definition<
  Database extends SharedTables,
  Context extends BaseContext<Database>,
  Config extends ServiceConfig,
> {
  name: ServiceName;
  version: string;
  config: Config;
  router: AnyRouter;
  /** The OpenAPI document that the build wrote beside the service. */
  openApiFile: URL;
  migrations: Record<string, Migration>;
  /** Settings of PostgreSQL for the service's sessions. */
  databaseSettings?: Record<string, string>;
  /** What the service's context holds besides the base. */
  dependencies: (
    foundation: Foundation<Database>,
    config: Config,
  ) => Promise<Omit<Context, keyof BaseContext<Database>>>;
  subscriptions?: Subscription<Context>[];
  /** How the service's jobs are done; absent when it has none. */
  jobHandlers?: JobHandler<Context>[];
  /** Jobs at a time; 4 by default. */
  concurrency?: number;
  schedules?: Schedule[];
  rawRoutes?: (context: Background<Context>) => RawRoute[];
  /** What the service does without at the moment, and why; `/readyz` says so. */
  degraded?: (context: Background<Context>) => string[];
  /** Starts what runs beside the requests; it is stopped before the database is let go. */
  workers?: (context: Background<Context>) => Worker[];
}

/** Makes a context for work that no request asked for; the service itself is the caller. */
export type Background<Context> = (part?: object) => Context;

const STOP_WITHIN_MS = 10_000;
const READY_WITHIN_MS = 2_000;

/**
 * Starts one service: brings its schema up to date, serves its operations, sends and receives its events. Stops
 * gracefully on SIGTERM and SIGINT: nothing new begins, what runs ends (requests, events, jobs), then the database is let
 * go. What makes a start impossible is one line of the log.
 */
export async function startService<
  Database extends SharedTables,
  Context extends BaseContext<Database>,
  Config extends ServiceConfig,
>(definition: Definition<Database, Context, Config>): Promise<void> {
  const { name, config } = definition;
  const log = createLog({ service: name, level: config.LOG_LEVEL });
  try {
    await start(definition, log);
  } catch (error) {
    logFatal(log, "cannot start", error, config.DATABASE_URL);
    process.exit(1);
  }
}

async function start<
  Database extends SharedTables,
  Context extends BaseContext<Database>,
  Config extends ServiceConfig,
>(definition: Definition<Database, Context, Config>, log: Logger): Promise<void> {
  const { name, version, config, router, migrations, subscriptions = [] } = definition;
  const schema = config.DATABASE_SCHEMA ?? name;
  const databaseUrl = config.DATABASE_URL;
  const connection = connect<Database>({
    url: databaseUrl,
    schema,
    settings: definition.databaseSettings,
    max: config.DATABASE_POOL,
    log,
  });
  await migrate({ db: connection.db, migrations, log });

  const signer = createSigner(config.OCTAVO_SIGNING_KEY);
  const verifier = createVerifier(config.OCTAVO_TRUSTED_KEYS);
  const foundation: Foundation<Database> = {
    db: connection.db,
    log,
    urls: createUrls({
      base: config.OCTAVO_BASE_URL,
      app: config.OCTAVO_APP_URL ?? `${config.OCTAVO_BASE_URL}/app`,
      sites: config.OCTAVO_SITES_URL ?? `${config.OCTAVO_BASE_URL}/sites`,
      sitesDomain: config.OCTAVO_SITES_DOMAIN,
    }),
    egress: createEgress({ allow: config.OCTAVO_EGRESS_ALLOW }),
    vault: createVault(config.OCTAVO_SECRET_KEY),
    ownIdentity: () => signer.cached("self", () => ({ kind: "service", service: name })),
  };
  const dependencies = await definition.dependencies(foundation, config);
  const base = { ...dependencies, db: connection.db, log, urls: foundation.urls, clock: () => new Date() };
  // The base and the service's own dependencies make up its context, which no compiler can prove of a type parameter.
  const context: Background<Context> = (part) =>
    ({
      ...base,
      caller: { kind: "service", service: name },
      requestId: newId(),
      reply: { headers: {} },
      ...part,
    }) as unknown as Context;

  const server = createHttpServer({
    name,
    version,
    router,
    rawRoutes: definition.rawRoutes?.(context),
    openApiFile: definition.openApiFile,
    verifier,
    base,
    unready: () => unready(connection),
    degraded: () => definition.degraded?.(context) ?? [],
    log,
  });
  const drain = drainable(server);
  const natsUrl = config.NATS_URL;
  const eventSigner = createEventSigner(config.OCTAVO_SIGNING_KEY);
  const relay = startRelay({ service: name, databaseUrl, schema, natsUrl, signer: eventSigner, log });
  const consumer =
    subscriptions.length === 0
      ? undefined
      : startConsumer<Context, Database>({
          service: name,
          db: connection.db,
          databaseUrl,
          schema,
          natsUrl,
          verifier: createEventVerifier(config.OCTAVO_TRUSTED_KEYS),
          log,
          subscriptions,
          context,
        });
  const { jobHandlers, schedules, concurrency } = definition;
  const jobs =
    jobHandlers &&
    (await startJobs({
      databaseUrl,
      schema,
      log,
      db: connection.db,
      jobHandlers,
      schedules,
      concurrency,
      context,
    }));
  const workers = definition.workers?.(context) ?? [];
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(config.PORT, config.HOST, listening);
  });
  log.info({ port: config.PORT }, "ready");
  collectAfterStart();

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await Promise.all([
      drain(),
      relay.stop(),
      consumer?.stop(),
      jobs?.stop(),
      ...workers.map((worker) => worker.stop()),
    ]);
    await connection.close();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("disconnect", () => stop("disconnect"));
}

/** Names of what the service needs and does not reach within two seconds. */
export async function unready<Database>({ db }: Connection<Database>): Promise<string[]> {
  const connected = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const late = sleep(READY_WITHIN_MS, false, { ref: false });
  return (await Promise.race([connected, late])) ? [] : ["database"];
}
