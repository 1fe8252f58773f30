import { partyOf } from "@octavo/shared/contracts/callers";
import { writeJson } from "@octavo/shared/rest/written-json";
import type { ReadAction } from "../access/level.js";
import { permits } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import { type ResolvedTarget, type Target, tagTarget } from "./target.js";

interface Read<Output> {
  scope: ResolvedTarget;
  output: Output;
}

/** What was read, or the bytes that stand for it and for their tag; without a tag it is for nobody else. */
interface Made {
  result: object;
  etag?: string;
}

/**
 * Reads something of a revision for a REST client, or returns the bytes of the response that was sent for the same address
 * before, or that is made for the same caller now. A response is kept under its tag, which names revision, address and kind
 * of caller: who asks is admitted by the database each time, and gets what is kept or made only if it is tagged the same.
 * Neither what visitors see nor change requests are kept: the first depend on claims, the second are read at a head that
 * moves on.
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
  const wanted = `${name} for ${partyOf(ctx.caller)}`;
  const kept = cache.get(name);
  // Cast: what is made under this name is made below.
  const making = cache.underWay.get(wanted) as Promise<Made> | undefined;
  if (kept || making) {
    await tagTarget(ctx, target, action);
    const { etag } = reply.headers;
    // The bytes stand for the value that they were written of.
    if (etag !== undefined && kept?.revision === etag) return kept.value as Output;
    const made = etag === undefined ? undefined : await making?.catch(() => undefined);
    if (made && made.etag === etag) return made.result as Output;
  }
  const own = make(ctx, name, read);
  cache.underWay.set(wanted, own);
  try {
    return (await own).result as Output;
  } finally {
    if (cache.underWay.get(wanted) === own) cache.underWay.delete(wanted);
  }
}

async function make({ reply, cache }: Ctx, name: string, read: () => Promise<Read<object>>): Promise<Made> {
  const { scope, output } = await read();
  const { etag } = reply.headers;
  if (etag === undefined || !permits(scope.level, "space.access")) return { result: output };
  const result = (await writeJson(output)).pack();
  cache.set(name, { revision: etag, value: result }, { size: result.held + 2 * name.length + ENTRY });
  return { result, etag };
}

/** Bytes that an entry takes besides the bytes of the response, about. */
const ENTRY = 500;
