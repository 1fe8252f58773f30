import { setTimeout as sleep } from "node:timers/promises";
import { refuseAt } from "@octavo/shared/errors";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";

/** How long the event of a site that was just created may take to arrive. */
const HEARD_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** Waits until the event of a site of the organization has arrived; 400 when it is none. */
export async function awaitSite(ctx: Ctx, organization: string, site: string): Promise<void> {
  if (!(await isKnown(ctx, organization, site))) refuseSite();
}

/** Returns whether the organization has the site, once its event has arrived: without one it takes two seconds. */
export async function isKnown(ctx: Ctx, organization: string, site: string): Promise<boolean> {
  for (let waited = 0; waited < HEARD_WITHIN_MS; waited += LOOK_EVERY_MS) {
    if (await queries.has(ctx, organization, site)) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** 400 when the site was deleted meanwhile; it is there until the transaction ends. */
export async function requireSite(ctx: Ctx, organization: string, site: string): Promise<void> {
  if (!(await queries.has(ctx, organization, site))) refuseSite();
}

/** 400 for a site that the organization does not have. */
export function refuseSite(): never {
  refuseAt("body.defaultContent.site", "is no site of the organization", { reason: "unknown_site" });
}
