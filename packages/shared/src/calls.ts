import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type AnyRouter,
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  type TRPCError,
  transformTRPCResponse,
} from "@trpc/server";
import { describe } from "./errors.js";

interface CallsOptions {
  router: AnyRouter;
  /** The context of one request; what it throws is the outcome of each of its calls. */
  context: (req: IncomingMessage, res: ServerResponse) => Promise<object>;
  onFailure: (error: TRPCError, req: IncomingMessage) => void;
}

/** The calls of a request, as `serviceClient` sends them. */
interface Calls {
  names: string[];
  type: "query" | "mutation";
  /** By the number of the call. */
  inputs: Record<number, unknown>;
}

/** What a call came to; the shape of an error names its status. */
type Outcome = { result: { data: unknown } } | { error: ReturnType<typeof getTRPCErrorShape> };

const CALLS = /^\/trpc\/([\w.,]+)\?batch=1$/;
/** The status of calls that came to different ones. */
const MIXED = 207;

/** The headers that belong to refusals. */
export const headersOf = (errors: TRPCError[]): Record<string, string> =>
  Object.assign({}, ...errors.map((error) => describe(error).details.headers));

/**
 * Serves what services ask of each other. tRPC's own adapter makes a web request, a web response and a stream of each,
 * which costs more than most calls do; it is left with whatever is sent in another form, for which this resolves to false.
 */
export function createCallsHandler({ router, context, onFailure }: CallsOptions) {
  const config = router._def._config;
  const procedures = router._def.procedures as Record<string, { _def: { type: string } }>;

  function callsIn({ url = "", method, headers }: IncomingMessage, body: string): Calls | undefined {
    const names = CALLS.exec(url)?.[1]?.split(",");
    if (!names || method !== "POST" || headers["content-type"] !== "application/json") return undefined;
    const types = new Set(
      names.map((name) => (Object.hasOwn(procedures, name) ? procedures[name]!._def.type : undefined)),
    );
    const [type] = types;
    const inputs = inputsIn(body);
    return inputs && types.size === 1 && (type === "query" || type === "mutation")
      ? { names, type, inputs }
      : undefined;
  }

  return async function handle(req: IncomingMessage, res: ServerResponse, body: string): Promise<boolean> {
    const calls = callsIn(req, body);
    if (!calls) return false;
    const { names, type, inputs } = calls;
    const errors: TRPCError[] = [];
    const made = context(req, res);
    const outcomes = await Promise.all(
      names.map(async (path, batchIndex): Promise<Outcome> => {
        const input = inputs[batchIndex];
        let ctx: object | undefined;
        try {
          ctx = await made;
          const call = { router, path, type, ctx, signal: undefined, batchIndex };
          return { result: { data: await callTRPCProcedure({ ...call, getRawInput: async () => input }) } };
        } catch (cause) {
          const error = getTRPCErrorFromUnknown(cause);
          errors.push(error);
          onFailure(error, req);
          return { error: getTRPCErrorShape({ config, error, type, path, input, ctx }) };
        }
      }),
    );
    const statuses = new Set(outcomes.map((one) => ("error" in one ? one.error.data.httpStatus : 200)));
    const [status] = statuses;
    const sent = Buffer.from(JSON.stringify(transformTRPCResponse(config, outcomes)));
    res.writeHead(statuses.size === 1 ? status! : MIXED, {
      ...headersOf(errors),
      "content-type": "application/json",
      "content-length": sent.length,
    });
    res.end(sent);
    return true;
  };
}

function inputsIn(body: string): Record<number, unknown> | undefined {
  try {
    const inputs: unknown = JSON.parse(body);
    const isObject = typeof inputs === "object" && inputs !== null && !Array.isArray(inputs);
    return isObject ? (inputs as Record<number, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
