import { type Operation, TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { callService } from "./call.js";

interface LinkOptions {
  /** Where the procedures of the service are, without a slash at its end. */
  url: string;
  headers: () => Promise<Record<string, string>>;
  /** How long a request may take. */
  timeoutMs: number;
}

type Kind = "query" | "mutation";

interface Call {
  operation: Operation;
  resolve: (outcome: unknown) => void;
  reject: (error: unknown) => void;
}

/** Characters of the names of calls that travel as one request: they stand in its address. */
const LONGEST = 1_900;

/**
 * Sends calls to a service, those that are issued in one tick as one request, as soon as that tick is over. tRPC's own link
 * lets them wait for a timer, which is a millisecond each time, and more where processors are busy.
 */
export function callsLink<Router extends AnyRouter>(options: LinkOptions): TRPCLink<Router> {
  const waiting: Record<Kind, Call[]> = { query: [], mutation: [] };

  function load(operation: Operation): Promise<unknown> {
    const kind = operation.type as Kind;
    return new Promise((resolve, reject) => {
      if (waiting[kind].length === 0) setImmediate(dispatch, kind);
      waiting[kind].push({ operation, resolve, reject });
    });
  }

  function dispatch(kind: Kind): void {
    const calls = waiting[kind];
    waiting[kind] = [];
    let batch: Call[] = [];
    let length = 0;
    for (const call of calls) {
      const { path } = call.operation;
      if (batch.length > 0 && length + path.length > LONGEST) {
        send(batch, options);
        [batch, length] = [[], 0];
      }
      batch.push(call);
      length += path.length + 1;
    }
    send(batch, options);
  }

  return () =>
    ({ op }) =>
      observable((observer) => {
        const fail = (error: unknown) => observer.error(TRPCClientError.from<Router>(error as Error));
        load(op).then((outcome) => {
          if (isRefused(outcome)) return fail(outcome);
          if (!isResult(outcome)) return fail(new Error("The response is none of a procedure"));
          observer.next({ result: { type: "data", data: outcome.result.data } });
          observer.complete();
        }, fail);
      });
}

function send(calls: Call[], options: LinkOptions): void {
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

async function request(calls: Call[], { url, headers, timeoutMs }: LinkOptions): Promise<unknown> {
  const names = calls.map(({ operation }) => operation.path).join(",");
  const inputs = Object.fromEntries(calls.map(({ operation }, at) => [at, operation.input]));
  const response = await callService(`${url}/${names}?batch=1`, {
    // An input such as a list of ids may be longer than an address can be.
    method: "POST",
    headers: { "content-type": "application/json", ...(await headers()) },
    body: JSON.stringify(inputs),
    signal: allOf(calls.map(({ operation }) => operation.signal)),
    timeoutMs,
  });
  return response.json();
}

/** A signal that is given when all of these are; undefined where one of the calls has none. */
function allOf(signals: (AbortSignal | null | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal != null);
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
