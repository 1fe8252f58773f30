import { setTimeout as sleep } from "node:timers/promises";
import { EgressError } from "@octavo/shared/egress/client";
import { ScriptFailed } from "../runtime/runtime.js";
import type { TraceLog } from "../schemas/event.js";
import type { Ctx } from "../trpc.js";
import type { IntegrationResponse } from "./tunnel.js";

const SHOWN_CHARACTERS = 500;
/** What a script logs comes when it has ended; a response is not kept waiting for it. */
const LOGS_WITHIN_MS = 250;

/** The log of one delivery, as it grows. */
export function startTrace(ctx: Pick<Ctx, "clock">) {
  const logs: TraceLog[] = [];
  const say = (level: TraceLog["level"], message: string) =>
    void logs.push({ level, message, timestamp: ctx.clock().toISOString() });

  /** Adds what the script logged, as far as it comes soon; what comes later is returned, to be added then. */
  async function collectLogs(
    { logs: pending }: IntegrationResponse,
    withinMs = LOGS_WITHIN_MS,
  ): Promise<{ late: IntegrationResponse["logs"] }> {
    if (!pending) return { late: undefined };
    const arrived = await Promise.race([pending, sleep(withinMs, undefined, { ref: false })]);
    if (arrived) logs.push(...arrived);
    return { late: arrived ? undefined : pending };
  }

  /** Adds why there was no response; throws what is neither the script's nor the tunnel's fault. */
  function logFailure(error: unknown): void {
    if (error instanceof ScriptFailed) logs.push(...error.logs);
    else if (!(error instanceof EgressError)) throw error;
    const tunneled = error instanceof EgressError ? "The tunnel could not be reached: " : "";
    say("error", `${tunneled}${error.message}`);
  }

  return { logs, say, collectLogs, logFailure };
}

/** The beginning of a response as a trace shows it. */
export const excerptOf = ({ body }: IntegrationResponse): string =>
  body
    .toString("utf8", 0, 4 * SHOWN_CHARACTERS)
    .replaceAll("\0", "")
    .slice(0, SHOWN_CHARACTERS);
