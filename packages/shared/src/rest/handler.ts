import type { IncomingMessage, ServerResponse } from "node:http";
import { type AnyRouter, callTRPCProcedure, TRPCError } from "@trpc/server";
import { ZodError, z } from "zod";
import type { Reply } from "../context.js";
import { type Caller, partyOf } from "../contracts/callers.js";
import { Refusal, refuse, writeError } from "../errors.js";
import { othersTurn } from "../workers/yield.js";
import { parseBody, readBytes, SMALL_BODY } from "./body.js";
import { inputOf, type Plan, planOf, refuseInput } from "./input.js";
import { isLarge } from "./json-pieces.js";
import { createLargeBodies } from "./large-bodies.js";
import { createLongJson } from "./long-json.js";
import { NOT_MODIFIED, REUSABLE_HEADER } from "./not-modified.js";
import { type Operation, operationsOf, type RawDeclaration } from "./routes.js";
import { takesGzip } from "./takes-gzip.js";
import { createTrie } from "./trie.js";
import { WrittenJson, writeJson } from "./written-json.js";

/**
 * A route that is no tRPC procedure, because it streams bytes or speaks with browsers. It writes its own responses, without
 * a caller.
 */
export interface RawRoute extends RawDeclaration {
  handle: (req: IncomingMessage, res: ServerResponse, params: Record<string, string>) => Promise<void>;
}

interface Endpoint {
  operation: Operation;
  plan: Plan;
  /** The part of the input that the path names, where that is looked at before a large body is read. */
  target?: z.ZodObject;
}

interface RestContext {
  caller: Caller;
  requestId: string;
  readonly signal?: AbortSignal;
  reply: Reply;
}

const NOTHING = Buffer.alloc(0);
/** Characters from which on a body is sent apart from its headers. */
const LONG_BODY = 8_192;

/** Bytes from which on it is worth that the gateway keeps a body. */
const REUSABLE_FROM = 65_536;

interface HandlerOptions {
  router: AnyRouter;
  rawRoutes?: RawRoute[];
  /** What the paths of the operations are mounted under. */
  prefix: string;
  /** The id that every response carries. */
  requestIdOf: (req: IncomingMessage) => string;
  /** The context of one request; refuses 401 without a valid identity. */
  context: (req: IncomingMessage, res: ServerResponse, operation: Operation) => Promise<RestContext>;
  onFailure: (error: unknown, req: IncomingMessage) => void;
}

/**
 * Serves the operations that a router declares. It reads the same declarations as trpc-to-openapi, whose own handler
 * changes schemas and cannot send our errors (docs/adr/0002-own-rest-adapter.md); a test holds both against each other.
 * Resolves to false when the path is not under `prefix`.
 */
export function createRestHandler(options: HandlerOptions) {
  const { router, prefix, rawRoutes = [] } = options;
  const largeBodies = createLargeBodies();
  const longJson = createLongJson();
  const trie = createTrie<Endpoint | RawRoute>();
  for (const operation of operationsOf(router)) {
    const target = operation.admit && targetOf(operation);
    trie.add(operation.path, operation.method, { operation, plan: planOf(operation), target });
  }
  for (const route of rawRoutes) trie.add(route.path, route.method, route);

  return async function handle(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const [path, search] = split(req.url!);
    if (!path.startsWith(`${prefix}/`)) return false;
    try {
      await respond(req, res, path.slice(prefix.length), search);
    } catch (error) {
      options.onFailure(error, req);
      writeError(res, error, req, options.requestIdOf(req));
    }
    return true;
  };

  async function respond(req: IncomingMessage, res: ServerResponse, path: string, search: string) {
    const match = matchOf(path);
    const method = req.method === "HEAD" ? "GET" : req.method!;
    const endpoint = match.methods.get(method);
    if (!endpoint || "handle" in endpoint) res.setHeader("x-request-id", options.requestIdOf(req));
    if (!endpoint) return refuseMethod(req, res, [...match.methods.keys()]);
    if ("handle" in endpoint) return endpoint.handle(req, res, match.params);
    const { operation } = endpoint;
    const ctx = await options.context(req, res, operation);
    const { maxBody } = operation;
    const work = async (bytes: Buffer) => {
      const body = operation.hasBody ? await parseBody(req, bytes, longJson.parse) : {};
      if (bytes.length > SMALL_BODY) await othersTurn();
      return call(operation, inputOf(endpoint, match.params, search, body), ctx, match.params);
    };
    let output: unknown;
    if (operation.admit && mayBeLarge(req)) {
      await admit(endpoint, ctx, match.params);
      const read = (hold: (bytes: number) => void) => readBytes(req, maxBody, hold);
      output = await largeBodies.take(partyOf(ctx.caller), ctx.signal, read, work);
    } else {
      output = await work(operation.hasBody ? await readBytes(req, maxBody) : NOTHING);
    }
    if (output === NOT_MODIFIED) {
      res.writeHead(304, { "x-request-id": ctx.requestId, ...ctx.reply.headers }).end();
      return;
    }
    await send(req, res, operation, output, ctx);
  }

  /** Asks the operation whether its caller may send this much, by what the path names. */
  async function admit(endpoint: Endpoint, ctx: object, params: Record<string, string>) {
    const { operation, target } = endpoint;
    const input = target!.safeParse(inputOf(endpoint, params, "", {}));
    if (!input.success) refuseInput(input.error, operation, params);
    await operation.admit!({ ctx, input: input.data } as never);
  }

  function matchOf(path: string) {
    try {
      const match = trie.match(path);
      if (match) return match;
    } catch {
      refuse("BAD_REQUEST", "path: is not valid percent-encoded UTF-8");
    }
    refuse("NOT_FOUND", `Path: not found`);
  }

  async function call(operation: Operation, input: unknown, ctx: object, params: Record<string, string>) {
    try {
      return await callTRPCProcedure({
        router,
        path: operation.name,
        getRawInput: async () => input,
        ctx,
        type: operation.type,
        signal: undefined,
        batchIndex: 0,
      });
    } catch (error) {
      if (error === NOT_MODIFIED) return error;
      const parsing =
        error instanceof TRPCError && error.code === "BAD_REQUEST" && !(error instanceof Refusal);
      if (parsing && error.cause instanceof ZodError) refuseInput(error.cause, operation, params);
      throw error;
    }
  }
}

/** Whether the body is, or may turn out to be, larger than a small one. */
function mayBeLarge({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > SMALL_BODY;
}

function targetOf({ path, input }: Operation): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name!);
  return z.object(Object.fromEntries(names.map((name) => [name, input!.shape[name] as z.ZodType])));
}

function split(url: string): [path: string, search: string] {
  const at = url.indexOf("?");
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}

function refuseMethod(req: IncomingMessage, res: ServerResponse, methods: string[]) {
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (req.method !== "OPTIONS") {
    refuse("METHOD_NOT_SUPPORTED", `Method: ${req.method} is not supported here`, { headers: { allow } });
  }
  res.writeHead(204, { allow }).end();
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status: declared }: Operation,
  output: unknown,
  { requestId, reply }: RestContext,
): Promise<void> {
  // All headers go to writeHead at once: with setHeader before it, Node takes a much slower way.
  const headers: Record<string, string | number> = { "x-request-id": requestId, ...reply.headers };
  const status = reply.status ?? declared;
  if (status === 204 || output === undefined) {
    res.writeHead(status === 200 ? 204 : status, headers).end();
    return;
  }
  const location = status === 201 ? locationOf(output) : undefined;
  if (location) headers.location = location;
  headers["content-type"] = "application/json; charset=utf-8";
  const isWritten = output instanceof WrittenJson;
  if (isWritten || isLarge(output)) {
    const written = isWritten ? output : await writeJson(output);
    await sendWritten(req, res, written, { status, headers });
    return;
  }
  const text = JSON.stringify(output);
  // A short body goes out in one piece with the headers; a long one is encoded once, not measured and then encoded.
  const body = text.length > LONG_BODY ? Buffer.from(text) : text;
  headers["content-length"] = Buffer.byteLength(body);
  res.writeHead(status, headers).end(req.method === "HEAD" ? undefined : body);
}

/** Sends bytes that may be sent again: then compressed to who takes that, so that the gateway does not do it each time. */
async function sendWritten(
  req: IncomingMessage,
  res: ServerResponse,
  written: WrittenJson,
  { status, headers }: { status: number; headers: Record<string, string | number> },
): Promise<void> {
  const gzipped = takesGzip(req) && req.method !== "HEAD" ? await written.gzipped() : undefined;
  if (gzipped) {
    headers["content-encoding"] = "gzip";
    headers.vary = headers.vary === undefined ? "accept-encoding" : `${headers.vary}, accept-encoding`;
    // The same value in another form.
    if (headers.etag !== undefined) headers.etag = `W/${headers.etag}`;
  }
  headers["content-length"] = gzipped?.length ?? written.length;
  if (headers.etag !== undefined && written.length > REUSABLE_FROM) headers[REUSABLE_HEADER] = "1";
  // In one piece with the headers as far as possible.
  res.cork();
  res.writeHead(status, headers);
  if (req.method !== "HEAD") for (const piece of gzipped ? [gzipped] : written.pieces) res.write(piece);
  res.end();
}

const locationOf = (output: unknown) => (output as { urls?: { location?: string } } | null)?.urls?.location;
