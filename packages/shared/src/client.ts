import type { TRPCClient } from "@trpc/client";
import { type AnyRouter, createTRPCRecursiveProxy } from "@trpc/server";
import { createBatches } from "./batches.js";
import { IDENTITY_HEADER } from "./identity.js";

interface ClientOptions {
  /** Base address of the service, without `/trpc`. */
  url: string;
  /** The signed identity to call with: a user's that is handed on, or the service's own. */
  identity: () => string | undefined | Promise<string | undefined>;
  requestId?: () => string | undefined;
  /** Address of the client on whose behalf it is called, for the audit. */
  ip?: () => string | undefined;
  /**
   * How long a call may take before the service counts as away; 20 s by default. A signal of `AbortSignal.timeout` for each
   * call would stay for as long after the call has ended, with all that listens to it.
   */
  timeoutMs?: number;
}

/** Kinds of procedures, by how a client calls them. */
const TYPES = { query: "query", mutate: "mutation" } as const;

/**
 * A typed tRPC client of one service. Calls that are issued in one tick travel as one request. tRPC's own client observes
 * each call through a chain of links and aborts it when it has ended, which costs more than to make and read the call.
 */
export function serviceClient<Router extends AnyRouter>({
  url,
  identity,
  requestId,
  ip,
  timeoutMs = 20_000,
}: ClientOptions): TRPCClient<Router> {
  const send = createBatches({
    url: `${url.replace(/\/+$/, "")}/trpc`,
    timeoutMs,
    headers: async () => {
      const token = await identity();
      const id = requestId?.();
      const address = ip?.();
      return {
        ...(token && { [IDENTITY_HEADER]: token }),
        ...(id && { "x-request-id": id }),
        ...(address && { "x-forwarded-for": address }),
      };
    },
  });
  const client = createTRPCRecursiveProxy(({ path, args: [input, options] }) => {
    const { signal } = (options ?? {}) as { signal?: AbortSignal };
    const type = TYPES[path.at(-1) as keyof typeof TYPES];
    return send({ path: path.slice(0, -1).join("."), type, input, signal });
  });
  // Cast: the proxy takes any name, of which the type knows those of the router.
  return client as unknown as TRPCClient<Router>;
}
