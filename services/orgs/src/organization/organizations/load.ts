import { found } from "@octavo/shared/errors";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

/**
 * Returns an organization as it is stored, for rules that have guarded already or guard by it; 404 when there is
 * none.
 */
export const load = async (ctx: Ctx, id: string) => found(await queries.find(ctx, id), "Organization");

/** Returns the organization with the hostname, as it is stored; 404 when there is none. */
export const findByHostname = async (ctx: Ctx, hostname: string) =>
  found(await queries.findByHostname(ctx, hostname), "Subdomain");

/** Returns the id of the first organization that the person administers, if there is one. */
export async function administeredBy(ctx: Ctx, person: string): Promise<string | undefined> {
  return (await queries.administeredBy(ctx, person))?.id;
}
