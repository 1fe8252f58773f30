import type { TraceLog } from "../schemas/event.js";
import type { Row } from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { type Addressee, send } from "./addressee.js";
import { taskRequest } from "./task-request.js";
import { excerptOf, startTrace } from "./trace.js";
import type { IntegrationResponse } from "./tunnel.js";

const NOT_SUBSCRIBED = 406;

/** How the delivery of an event ended. */
export interface Outcome {
  status: "success" | "failed";
  logs: TraceLog[];
  /** What the script logged after that. */
  late?: Promise<TraceLog[]>;
}

/**
 * Delivers an event to an integration, by its tunnel in development mode, else by its script, and says how that went.
 * Throws for what is the platform's own trouble, so that it is tried again.
 */
export async function attempt(ctx: Ctx, event: Row, addressee: Addressee): Promise<Outcome> {
  const { logs, say, collectLogs, logFailure } = startTrace(ctx);
  const { payload } = event;
  say("info", `Sending ${payload.type} to the ${addressee.tunnelUrl ? "development tunnel" : "script"}`);
  try {
    const first = await send(ctx, addressee, { event: JSON.stringify(payload) });
    if (payload.type !== "task" || first.status !== NOT_SUBSCRIBED) return await outcomeOf(first);
    // Older scripts take their tasks at an address of their own.
    return await outcomeOf(await send(ctx, addressee, taskRequest(addressee.runtime, payload)));
  } catch (error) {
    logFailure(error);
    return { status: "failed", logs };
  }

  async function outcomeOf(response: IntegrationResponse): Promise<Outcome> {
    const { status } = response;
    const { late } = await collectLogs(response);
    if (status === NOT_SUBSCRIBED) {
      say("info", "The integration does not listen to this event (406)");
      return { status: "success", logs, late };
    }
    if (status >= 200 && status < 300) {
      say("info", `The integration returned ${status}`);
      return { status: "success", logs, late };
    }
    const text = excerptOf(response);
    say("error", `The integration returned ${status}${text && `: ${text}`}`);
    return { status: "failed", logs, late };
  }
}
