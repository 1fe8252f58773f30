import { jsonb } from "../db/jsonb.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import type { IntegrationResponse } from "./tunnel.js";

/** Adds what a script logs after its response, once it has ended. */
export async function keepLate(ctx: Ctx, id: string, late: IntegrationResponse["logs"]): Promise<void> {
  try {
    const logs = (await late) ?? [];
    if (logs.length > 0) await queries.appendLogs(ctx, id, jsonb(logs));
  } catch (error) {
    ctx.log.warn({ err: error, event: id }, "late logs of a script are lost");
  }
}
