import type { Organization } from "@octavo/shared/contracts/schemas/organization";
import type { Ctx } from "../trpc.js";

type Known = Map<string, Promise<Organization | undefined>>;

/** What one request has asked for; a request is known by its reply, which a transaction's context shares. */
const known = new WeakMap<object, Known>();
const MOST = 1000;

/** The organizations with these ids as the caller sees them, each asked for once in a request. */
export async function organizationsOf(ctx: Ctx, ids: string[]): Promise<Map<string, Organization>> {
  const cache = known.get(ctx.reply) ?? new Map();
  known.set(ctx.reply, cache);
  const missing = [...new Set(ids)].filter((id) => !cache.has(id));
  for (let at = 0; at < missing.length; at += MOST) ask(ctx, cache, missing.slice(at, at + MOST));
  const found = await Promise.all(ids.map((id) => cache.get(id)));
  return new Map(found.filter((item) => item !== undefined).map((item) => [item.id, item]));
}

function ask(ctx: Ctx, cache: Known, ids: string[]) {
  const response = ctx.orgs.organizations(ctx, ids);
  for (const id of ids) {
    const one = response.then((items) => items.find((item) => item.id === id));
    one.catch(() => cache.delete(id));
    cache.set(id, one);
  }
}
