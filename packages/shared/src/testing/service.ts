import type { AnyRouter } from "@trpc/server";
import { type Migration, sql } from "kysely";
import type { z } from "zod";
import type { BaseContext } from "../context.js";
import type { Caller, UserCaller } from "../contracts/callers.js";
import type { EventType } from "../contracts/events/define.js";
import type { Role } from "../contracts/roles.js";
import { createHttpServer } from "../http.js";
import { IDENTITY_HEADER } from "../identity.js";
import { newId } from "../ids.js";
import type { RawRoute } from "../rest/handler.js";
import { counted } from "./counted.js";
import { emitted } from "./emitted.js";
import { listen } from "./http.js";
import { testSchema } from "./schema.js";
import type { Surroundings } from "./surroundings.js";

/** Role in each organization; `null` is a guest. */
export type Roles = Record<string, Role | null>;

interface ServiceTestOptions<Database, Ctx, Api> {
  around: Surroundings;
  migrations: Record<string, Migration>;
  /** Prepares the job queue too, for tests that enqueue. */
  jobs?: boolean;
  /** The operations for a context: `createCaller(router)`. */
  operations: (ctx: Ctx) => Api;
  /** What the rules reach besides the database, neighbours among it. */
  resources: Omit<Ctx, keyof BaseContext<Database>>;
}

/**
 * A service on a PostgreSQL schema of its own, with a clock that a test may set: contexts and operations for any caller,
 * the service over HTTP once `serve` is called, the events that it emitted and the queries that it took. The kit of each
 * service adds its neighbours, and factories of rows. `end` closes what was served and drops the schema.
 */
export async function serviceTest<Database, Ctx extends BaseContext<Database>, Api>(
  options: ServiceTestOptions<Database, Ctx, Api>,
) {
  const { around, migrations, jobs, operations, resources } = options;
  const { service, log, urls, verifier, self } = around;
  const home = await testSchema<Database>({ service, migrations, jobs });
  const clock = { now: () => new Date() };
  const base = { ...resources, db: home.db, log, urls, clock: () => clock.now() };
  const closing: (() => Promise<unknown>)[] = [];

  /** The context of one request. */
  function context(caller: Caller, over: Partial<Ctx> = {}): Ctx {
    const request = { caller, requestId: newId(), reply: { headers: {} } };
    return { ...base, ...request, ...over } as Ctx & typeof base;
  }

  return {
    ...home,
    ...around,
    /** What every context holds besides what comes from the request. */
    base,
    clock,
    context,
    /** The context of the service's own work, as its jobs and listeners get it. */
    ctx: context(self),
    /** The operations as a caller has them. */
    call: (caller: Caller, over?: Partial<Ctx>): Api => operations(context(caller, over)),
    /** How many queries something takes. */
    queriesOf: async (caller: Caller, ask: (api: Api) => Promise<unknown>): Promise<number> => {
      const { db, queries } = counted(home.db);
      await ask(operations({ ...context(caller), db }));
      return queries();
    },
    /** The payloads of the events of one kind, oldest first. */
    emitted: <Payload extends z.ZodType>(event: EventType<Payload>) => emitted({ db: home.db }, event),
    /** The events about an aggregate, oldest first: name without the service's, and payload. */
    emittedAbout: async (aggregate: string): Promise<[name: string, payload: unknown][]> => {
      const { rows } = await sql<{ name: string; payload: unknown }>`
        select name, body -> 'payload' as payload from outbox
        where aggregate = ${aggregate} and name like ${`${service}.%`} order by position`.execute(home.db);
      return rows.map(({ name, payload }) => [name.slice(service.length + 1), payload]);
    },
    /** Serves the service over HTTP until the end; returns its address. */
    serve: async (router: AnyRouter, rawRoutes: RawRoute[] = []): Promise<string> => {
      const server = await serveRouter({ name: service, router, rawRoutes, verifier, base, log });
      closing.push(server.close);
      return server.url;
    },
    /** Has something closed before the schema is dropped, what was opened last first. */
    atEnd: (close: () => Promise<unknown>): void => {
      closing.push(close);
    },
    end: async (): Promise<void> => {
      for (const close of closing.reverse()) await close();
      await home.drop();
    },
  };
}

/** A caller with these roles; everything else can be given too. */
export function userWith(organizations: Roles, over: Partial<UserCaller> = {}): UserCaller {
  const id = over.id ?? newId();
  return { kind: "user", id, name: `Name of ${id}`, organizations, teams: [], token: newId(), ...over };
}

/** A router over HTTP on a free port, as services serve theirs; neighbours that stand in for a service, too. */
export const serveRouter = (given: Omit<Parameters<typeof createHttpServer>[0], "version" | "unready">) =>
  listen(createHttpServer({ version: "0.0.0", unready: async () => [], ...given }));

/** Sends requests as the gateway forwards them, for the caller of a signed identity; `path` begins with a slash. */
export function senderTo(address: string, identity: () => Promise<string>) {
  return async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const headers: Record<string, string> = { [IDENTITY_HEADER]: await identity(), ...more };
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      // Tests look into bodies of every shape.
      body: (text === "" ? undefined : JSON.parse(text)) as ReturnType<typeof JSON.parse>,
    };
  };
}
