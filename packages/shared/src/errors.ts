import type { IncomingMessage, ServerResponse } from "node:http";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { isDatabaseAway } from "./database/away.js";

/** One thing that is wrong with an input: where it is (`body.title`, `query.limit`) and what is wrong. */
export interface Issue {
  path: string;
  message: string;
}

interface Details {
  /** A stable machine word; the default follows the code. */
  reason?: string;
  issues?: Issue[];
  cause?: unknown;
  /** TestResponse headers that belong to the refusal, such as `allow` or `retry-after`. */
  headers?: Record<string, string>;
}

/** The HTTP status of each code. */
export const STATUS = {
  BAD_REQUEST: 400,
  PARSE_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
} as const;

export type RefusalCode = Exclude<keyof typeof STATUS, "PARSE_ERROR" | "INTERNAL_SERVER_ERROR">;

const REASONS: Partial<Record<keyof typeof STATUS, string>> = {
  BAD_REQUEST: "invalid_input",
  PARSE_ERROR: "invalid_input",
  INTERNAL_SERVER_ERROR: "internal_error",
};

/** An error that a caller may see. It crosses service borders as a tRPC error and keeps its details. */
export class Refusal extends TRPCError {
  readonly details: Details;

  constructor(code: RefusalCode, message: string, details: Details = {}) {
    super({ code, message, cause: details.cause });
    this.name = "Refusal";
    this.details = details;
  }
}

/** Ends the request with an error that the caller sees: `message` reads "<where>: <what>". */
export function refuse(code: RefusalCode, message: string, details?: Details): never {
  throw new Refusal(code, message, details);
}

/** 400 for one place in the input: the message names it, and so does the one issue. */
export function refuseAt(path: string, message: string, details?: Omit<Details, "issues">): never {
  refuse("BAD_REQUEST", `${path}: ${message}`, { ...details, issues: [{ path, message }] });
}

/** `refuseAt` for all these places at once, with 400 by default; nothing where there are none. */
export function refuseAll(
  issues: Issue[],
  { code = "BAD_REQUEST", reason }: { code?: RefusalCode; reason?: string } = {},
): void {
  if (issues.length > 0) refuse(code, messageOf(issues), { issues, reason });
}

/** Issues in one line, as the message of an error. */
export const messageOf = (issues: Issue[]): string =>
  issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");

/** The value, or 404 "<what>: not found". */
export function found<T>(value: T, what: string): NonNullable<T> {
  if (value === null || value === undefined) refuse("NOT_FOUND", `${what}: not found`);
  return value;
}

/**
 * The rule of a removal to which a thing that the caller may not know of is as little there as one that is not: nothing
 * is said of either. What it lies in has no part in that.
 */
export const removal =
  <Call>(rule: (call: Call) => Promise<void>) =>
  (call: Call): Promise<void> =>
    rule(call).catch((error: unknown) => {
      if (describe(error).code !== "NOT_FOUND") throw error;
    });

/** Runs `fn`; what it refuses says that it is about this place in the input. */
export async function locate<T>(path: string, fn: () => Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    if (!(error instanceof Refusal) || error.details.issues) throw error;
    const { code, message, details } = error;
    const issues = [{ path, message }];
    throw new Refusal(code as RefusalCode, `${path}: ${message}`, { ...details, issues });
  }
}

/** Runs `then` (which refuses) when `error` is the violation of the named Postgres constraint. */
export function onConstraint(error: unknown, constraint: string, then: () => never): void {
  if (
    typeof error === "object" &&
    error !== null &&
    "constraint" in error &&
    error.constraint === constraint
  ) {
    then();
  }
}

/** The issues of a failed zod parse, each path joined with dots under `root`. */
export function issuesOf(error: Pick<ZodError, "issues">, root = ""): Issue[] {
  return error.issues.map((issue) => ({
    path: [root, ...issue.path.map(String)].filter(Boolean).join("."),
    message: issue.code === "invalid_union" ? ofUnion(issue.errors) || issue.message : issue.message,
  }));
}

/** What each form of a union misses: `expected "inherit"; or before: expected string, received number`. */
function ofUnion(forms: ZodError["issues"][]): string {
  const messages = forms.map((issues) =>
    issuesOf({ issues })
      .map(({ path, message }) => (path ? `${path}: ${message}` : message))
      .join(", "),
  );
  return [...new Set(messages)].join("; or ");
}

export interface ErrorBody {
  error: { code: number; message: string; reason: string; requestId: string; issues?: Issue[] };
}

/** The public form of any error; what is not a refusal becomes a 500 without details. */
export function errorBody(error: unknown, requestId: string): { status: number; body: ErrorBody } {
  const { code, message, details } = describe(error);
  const status = STATUS[code];
  const reason = details.reason ?? REASONS[code] ?? code.toLowerCase();
  const issues = details.issues?.length ? { issues: details.issues } : {};
  return { status, body: { error: { code: status, message, reason, requestId, ...issues } } };
}

/** Responds with the error: JSON as every client expects it, or RFC 9457 when `Accept` asks for it. */
export function writeError(
  res: ServerResponse,
  error: unknown,
  req: IncomingMessage,
  requestId: string,
): void {
  const { status, body } = errorBody(error, requestId);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { headers } = describe(error).details;
  for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
  const problem = req.headers.accept?.includes("application/problem+json") ?? false;
  const text = JSON.stringify(problem ? problemOf(status, body) : body);
  res.writeHead(status, {
    "content-type": problem ? "application/problem+json" : "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-request-id": requestId,
  });
  res.end(req.method === "HEAD" ? undefined : text);
}

function problemOf(status: number, { error }: ErrorBody) {
  const { message, reason, requestId, issues } = error;
  return {
    type: `urn:octavo:${reason}`,
    title: reason.replaceAll("_", " "),
    status,
    detail: message,
    requestId,
    issues,
  };
}

interface Description {
  code: keyof typeof STATUS;
  message: string;
  details: Details;
}

/** The code, the public message and the details that any error comes down to. */
export function describe(error: unknown): Description {
  if (error instanceof Refusal)
    return { code: error.code as RefusalCode, message: error.message, details: error.details };
  if (error instanceof ZodError) return badInput(error, "");
  if (error instanceof TRPCError) return describeTrpc(error);
  return describeForeign(error);
}

function badInput(error: ZodError, root: string): Description {
  const issues = issuesOf(error, root);
  return { code: "BAD_REQUEST", message: messageOf(issues) || "Invalid input", details: { issues } };
}

function describeTrpc(error: TRPCError): Description {
  if (error.cause instanceof Refusal) return describe(error.cause);
  if (error.code === "BAD_REQUEST" && error.cause instanceof ZodError) return badInput(error.cause, "");
  if (error.code === "INTERNAL_SERVER_ERROR" || !(error.code in STATUS)) return describeForeign(error.cause);
  return { code: error.code as keyof typeof STATUS, message: error.message, details: {} };
}

/** What neither we nor tRPC threw. */
function describeForeign(error: unknown): Description {
  const { name, code, message, data } = Object(error) as Foreign;
  if (name === "TRPCClientError") return describeRemote({ message, data });
  if (isDatabaseAway({ code, message })) return away("The database is not reachable");
  if (UNSTORABLE.test(`${code} ${message}`))
    return { code: "BAD_REQUEST", message: "Input: holds characters that cannot be stored", details: {} };
  return UNEXPECTED;
}

interface Foreign {
  name?: string;
  code?: string;
  message?: string;
  data?: { code?: string; refusal?: Details };
}

const UNEXPECTED: Description = { code: "INTERNAL_SERVER_ERROR", message: "Unexpected error", details: {} };
/** What passes by itself: the request may be sent again. */
const away = (message: string, details: Details = {}): Description => ({
  code: "SERVICE_UNAVAILABLE",
  message,
  details: { ...details, headers: { "retry-after": "1" } },
});
/** PostgreSQL on NUL characters in a text, and on those or halves of surrogate pairs in JSON. */
const UNSTORABLE = /^(22021|22P05) |^22P02 .*json/;

/** A refusal that another service returned over tRPC, seen through the typed client. */
function describeRemote({ message, data }: Foreign): Description {
  const code = data?.code as keyof typeof STATUS | undefined;
  if (!code || !(code in STATUS)) return away("A service is not reachable");
  if (code === "SERVICE_UNAVAILABLE") return away(message ?? code, data?.refusal);
  const ours = STATUS[code] === 401 && data?.refusal?.reason !== "invalid_token";
  if (STATUS[code] >= 500 || ours) return UNEXPECTED;
  return { code, message: message ?? code, details: data?.refusal ?? {} };
}
