import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AnyRouter } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { createCallsHandler, headersOf } from "./calls.js";
import type { BaseContext } from "./context.js";
import { withinScopes } from "./contracts/scopes.js";
import { errorBody, refuse, writeError } from "./errors.js";
import { IDENTITY_HEADER, type Verifier } from "./identity.js";
import { isRequestId, newId } from "./ids.js";
import type { Logger } from "./log.js";
import { checkJson, readBytes } from "./rest/body.js";
import { createRestHandler, type RawRoute } from "./rest/handler.js";
import type { OperationMeta } from "./rest/operation.js";
import type { Operation } from "./rest/routes.js";

/** Idle connections outlive those of the gateway's agent, so that it never writes to one that just closed. */
const KEEP_ALIVE_MS = 65_000;
/** Most bytes of what services ask of each other: room for 100,000 ids, several times over. */
const LARGEST_CALL = 8 * 1024 * 1024;

interface HttpOptions {
  name: string;
  version: string;
  router: AnyRouter;
  rawRoutes?: RawRoute[];
  /** The document that the build wrote; generated when it is asked for where there is none. */
  openApiFile?: URL;
  verifier: Verifier;
  /** What every context of this service holds besides what comes from the request. */
  base: object;
  /** Names of what is not ready; empty when the service can take requests. */
  unready: () => Promise<string[]>;
  /** What the service does without, and why; it takes requests all the same. */
  degraded?: () => string[];
  log: Logger;
}

/** What of a context comes from the request. */
type RequestPart = Pick<
  BaseContext<unknown>,
  "caller" | "identity" | "requested" | "requestId" | "traceparent" | "signal" | "reply" | "ip"
>;

/**
 * The HTTP server of a service: its REST operations under `/v1`, its tRPC procedures under `/trpc`, `/openapi.json`,
 * `/livez` and `/readyz`. Whoever calls has to show an identity that a trusted service signed.
 */
export function createHttpServer(options: HttpOptions): Server {
  const { name, version, router, rawRoutes, verifier, base, log } = options;
  const contextOf = async (req: IncomingMessage, res: ServerResponse): Promise<RequestPart> => {
    const identity = req.headers[IDENTITY_HEADER];
    if (typeof identity !== "string") refuse("UNAUTHORIZED", "Identity: missing");
    const caller = await verifier.verify(identity);
    // `...base` comes last because it is ten times as fast there; it holds none of the names before it.
    return {
      get signal() {
        return abortOf(res);
      },
      caller,
      identity,
      requested: req.url!.startsWith("/v1/")
        ? { url: req.url!, ifNoneMatch: headerOf(req, "if-none-match") }
        : undefined,
      requestId: requestIdOf(req),
      traceparent: headerOf(req, "traceparent"),
      ip: headerOf(req, "x-forwarded-for")?.split(",", 1)[0]?.trim(),
      reply: { headers: {} },
      ...base,
    };
  };
  /** Why a call's body was not taken, for tRPC to say in its own form. */
  const refusals = new WeakMap<IncomingMessage, unknown>();
  const onFailure = (error: unknown, req: IncomingMessage) => {
    const { status } = errorBody(error, "");
    if (status >= 500)
      log.error(
        { err: error, method: req.method, url: pathOf(req), requestId: requestIdOf(req) },
        "request failed",
      );
  };
  /** A restricted token is held against the request; what services ask of each other over tRPC is theirs to decide. */
  const scopedContextOf = async (
    req: IncomingMessage,
    res: ServerResponse,
    { scope, scopesOf, reader, type }: Operation,
  ) => {
    const ctx = await contextOf(req, res);
    const { caller } = ctx;
    if (caller.kind === "reader") return reader ? ctx : refuseReader();
    const within =
      caller.kind === "integration"
        ? scope !== undefined && caller.scopes.includes(scope)
        : withinScopes(
            caller.kind === "user" ? caller.scopes : undefined,
            scopesOf ?? name,
            verbOf(req, type),
          );
    if (within) return ctx;
    refuse("FORBIDDEN", "Token: its scopes do not reach this", { reason: "insufficient_scope" });
  };
  /** Over tRPC as over REST, integrations do what names one of their scopes, and readers what is declared for them. */
  const procedureContextOf = async (req: IncomingMessage, res: ServerResponse) => {
    if (refusals.has(req)) throw refusals.get(req);
    const ctx = await contextOf(req, res);
    const { caller } = ctx;
    if (caller.kind !== "integration" && caller.kind !== "reader") return ctx;
    const names = decodeURIComponent(pathOf(req).slice("/trpc/".length)).split(",");
    const called = names.map((name) => metaOf(router, name));
    if (caller.kind === "reader") return called.every((meta) => meta?.reader) ? ctx : refuseReader();
    if (called.every((meta) => meta?.scope !== undefined && caller.scopes.includes(meta.scope))) return ctx;
    refuse("FORBIDDEN", "Caller: integrations may not do this");
  };
  const rest = createRestHandler({
    router,
    rawRoutes,
    prefix: "/v1",
    requestIdOf,
    context: scopedContextOf,
    onFailure,
  });
  const trpc = createHTTPHandler({
    router,
    basePath: "/trpc/",
    createContext: ({ req, res }) => procedureContextOf(req, res),
    onError: ({ error, req }) => onFailure(error, req),
    responseMeta: ({ errors }) => ({ headers: headersOf(errors) }),
    allowMethodOverride: true,
  });
  const calls = createCallsHandler({ router, context: procedureContextOf, onFailure });
  let document: Promise<string> | undefined;

  async function written(): Promise<string> {
    const file = options.openApiFile;
    if (file && existsSync(file)) return readFile(file, "utf8");
    // The generator is a third of what a service would load.
    const { openApiDocument } = await import("./rest/openapi.js");
    return JSON.stringify(openApiDocument(router, { title: `Octavo ${name}`, version, rawRoutes }));
  }

  async function handle(req: IncomingMessage, res: ServerResponse) {
    if (await rest(req, res)) return;
    res.setHeader("x-request-id", requestIdOf(req));
    const path = pathOf(req);
    if (path.startsWith("/trpc/")) return handleCall(req, res);
    if (path === "/livez") return respond(res, 200, { status: "ok" });
    if (path === "/readyz") {
      const unready = await options.unready();
      const degraded = options.degraded?.() ?? [];
      return respond(res, unready.length ? 503 : 200, {
        status: unready.length ? "not ready" : "ok",
        unready,
        ...(degraded.length > 0 && { degraded }),
      });
    }
    if (path === "/openapi.json") {
      document ??= written();
      return respond(res, 200, await document);
    }
    refuse("NOT_FOUND", "Path: not found");
  }

  /** The caller is known before anything is read, and what is read is bounded before tRPC parses it. */
  async function handleCall(req: IncomingMessage, res: ServerResponse) {
    let body: string | undefined;
    if (req.method === "POST") {
      body = await bodyOfCall(req, res).catch((error: unknown) => {
        refusals.set(req, error);
        return undefined;
      });
      if (body !== undefined && (await calls(req, res, body))) return;
      body ??= "";
    }
    await trpc(Object.assign(req, { body }), res);
  }

  async function bodyOfCall(req: IncomingMessage, res: ServerResponse): Promise<string> {
    await contextOf(req, res);
    const bytes = await readBytes(req, LARGEST_CALL);
    checkJson(bytes);
    return bytes.toString("utf8");
  }

  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => {
      onFailure(error, req);
      writeError(res, error, req, requestIdOf(req));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 5_000;
  return server;
}

function metaOf({ _def }: AnyRouter, name: string): OperationMeta | undefined {
  const procedures = _def.procedures as Record<string, { _def: { meta?: OperationMeta } }>;
  return Object.hasOwn(procedures, name) ? procedures[name]!._def.meta : undefined;
}

/** A POST that only reads is a read to a restricted token. */
const verbOf = ({ method }: IncomingMessage, type: Operation["type"]): string =>
  method === "POST" && type === "query" ? "GET" : method!;

function refuseReader(): never {
  refuse("FORBIDDEN", "Token: it only reads what its site shows", { reason: "reader_token" });
}

const headerOf = (req: IncomingMessage, name: string) => {
  const value = req.headers[name];
  return typeof value === "string" ? value : undefined;
};
const pathOf = (req: IncomingMessage) => req.url!.split("?", 1)[0]!;

/** The id of a request: the caller's, when it is a sane one, else a new one that stays with the request. */
function requestIdOf(req: IncomingMessage): string {
  const given = headerOf(req, "x-request-id");
  if (isRequestId(given)) return given;
  const id = newId();
  req.headers["x-request-id"] = id;
  return id;
}

const aborts = new WeakMap<ServerResponse, AbortSignal>();

function abortOf(res: ServerResponse): AbortSignal {
  const known = aborts.get(res);
  if (known) return known;
  const controller = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) controller.abort();
  });
  aborts.set(res, controller.signal);
  return controller.signal;
}

function respond(res: ServerResponse, status: number, body: object | string) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  res.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  res.end(text);
}
