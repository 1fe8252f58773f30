import type { ReadAction } from "../access/level.js";
import { permits } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import { type ResolvedTarget, type Target, tagTarget } from "./target.js";

interface Read<Output> {
  scope: ResolvedTarget;
  output: Output;
}

/**
 * Reads something of a revision for a REST client, or returns the bytes of the response that was sent for the same address
 * before. A response is kept under its tag, which names revision, address and kind of caller: who asks is admitted by the
 * database each time, and gets what is kept only if it is tagged the same. Neither what visitors see nor change requests
 * are kept: the first depend on claims, the second are read at a head that moves on.
 *
 * @throws NOT_MODIFIED when the client has the response.
 */
export async function writtenOnce<Output extends object>(
  ctx: Ctx,
  target: Target,
  action: ReadAction,
  read: () => Promise<Read<Output>>,
): Promise<Output> {
  const { requested, reply, cache } = ctx;
  if (requested === undefined || target.changeRequestId !== undefined) return (await read()).output;
  const name = `response ${requested.url}`;
  const kept = cache.get(name);
  if (kept) {
    await tagTarget(ctx, target, action);
    // The bytes stand for the value that they were written of.
    if (kept.revision === reply.headers.etag) return kept.value as Output;
  }
  const { scope, output } = await read();
  const { etag } = reply.headers;
  if (etag !== undefined && permits(scope.level, "space.access"))
    reply.keep = (body) => {
      const value = body.pack();
      cache.set(name, { revision: etag, value }, { size: value.held + 2 * name.length + ENTRY });
    };
  return output;
}

/** Bytes that an entry takes besides the bytes of the response, about. */
const ENTRY = 500;
