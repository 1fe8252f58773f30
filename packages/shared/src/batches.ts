import { TRPCClientError } from "@trpc/client";
import { callService } from "./call.js";

interface BatchOptions {
  /** Where the procedures of the service are, without a slash at its end. */
  url: string;
  headers: () => Promise<Record<string, string>>;
  /** How long a request may take. */
  timeoutMs: number;
}

/** A call of a procedure, by its name. */
export interface ProcedureCall {
  path: string;
  type: "query" | "mutation";
  input: unknown;
  signal?: AbortSignal | undefined;
}

interface Waiting {
  call: ProcedureCall;
  resolve: (outcome: unknown) => void;
  reject: (error: unknown) => void;
}

/** Characters of the names of calls that travel as one request: they stand in its address. */
const LONGEST = 1_900;

/**
 * Creates what sends calls to a service: those that are issued in one tick as one request, as soon as that tick is over.
 * tRPC's own link lets them wait for a timer, which is a millisecond each time, and more where processors are busy. A call
 * that fails rejects with a TRPCClientError.
 */
export function createBatches(options: BatchOptions): (call: ProcedureCall) => Promise<unknown> {
  const waiting: Record<ProcedureCall["type"], Waiting[]> = { query: [], mutation: [] };

  function dispatch(type: ProcedureCall["type"]): void {
    const calls = waiting[type];
    waiting[type] = [];
    let batch: Waiting[] = [];
    let length = 0;
    for (const one of calls) {
      const { path } = one.call;
      if (batch.length > 0 && length + path.length > LONGEST) {
        send(batch, options);
        [batch, length] = [[], 0];
      }
      batch.push(one);
      length += path.length + 1;
    }
    send(batch, options);
  }

  return async (call) => {
    const { type } = call;
    const outcome = await new Promise<unknown>((resolve, reject) => {
      if (waiting[type].length === 0) setImmediate(dispatch, type);
      waiting[type].push({ call, resolve, reject });
    }).catch(fail);
    if (isRefused(outcome)) fail(outcome);
    if (!isResult(outcome)) return fail(new Error("The response is none of a procedure"));
    return outcome.result.data;
  };
}

function fail(error: unknown): never {
  throw TRPCClientError.from(error as Error);
}

function send(calls: Waiting[], options: BatchOptions): void {
  request(calls, options).then(
    (outcomes) => {
      for (const [at, { resolve }] of calls.entries())
        resolve(Array.isArray(outcomes) ? outcomes[at] : outcomes);
    },
    (error: unknown) => {
      for (const { reject } of calls) reject(error);
    },
  );
}

async function request(calls: Waiting[], { url, headers, timeoutMs }: BatchOptions): Promise<unknown> {
  const names = calls.map(({ call }) => call.path).join(",");
  const inputs = Object.fromEntries(calls.map(({ call }, at) => [at, call.input]));
  const response = await callService(`${url}/${names}?batch=1`, {
    // An input such as a list of ids may be longer than an address can be.
    method: "POST",
    headers: { "content-type": "application/json", ...(await headers()) },
    body: JSON.stringify(inputs),
    signal: allOf(calls.map(({ call }) => call.signal)),
    timeoutMs,
  });
  return response.json();
}

/** A signal that is given when all of these are; undefined where one of the calls has none. */
function allOf(signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length < signals.length) return undefined;
  if (given.length === 1) return given[0];
  const controller = new AbortController();
  let left = given.length;
  const count = () => {
    left -= 1;
    if (left === 0) controller.abort();
  };
  for (const signal of given) {
    if (signal.aborted) count();
    else signal.addEventListener("abort", count, { once: true });
  }
  return controller.signal;
}

const isRefused = (outcome: unknown): boolean =>
  typeof outcome === "object" && outcome !== null && "error" in outcome;

const isResult = (outcome: unknown): outcome is { result: { data: unknown } } => {
  const { result } = Object(outcome) as { result?: unknown };
  return typeof result === "object" && result !== null;
};
