import { setTimeout as sleep } from "node:timers/promises";
import { EgressError } from "@octavo/shared/egress/client";
import * as contentInstallations from "../content-installations/runtime.js";
import * as installations from "../installations/runtime.js";
import * as integrations from "../integrations/runtime.js";
import { ScriptFailed } from "../runtime/runtime.js";
import type { TraceLog } from "../schemas/event.js";
import type { Row } from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { environmentOf } from "./environment.js";
import { multipart } from "./multipart.js";
import { taskRequest } from "./task-request.js";
import { type Answer, sendToTunnel } from "./tunnel.js";

const NOT_SUBSCRIBED = 406;
const SHOWN_CHARACTERS = 500;
/** What a script logs comes when it has ended; an answer is not kept waiting for it. */
const LOGS_WITHIN_MS = 250;

/** How the delivery of an event ended. */
export interface Outcome {
  status: "success" | "failed";
  logs: TraceLog[];
  /** What the script logged after that. */
  late?: Promise<TraceLog[]>;
}

/** Who is told of an event, and all that it is told with. */
async function addresseeOf(ctx: Ctx, event: Row) {
  const runtime = await integrations.runtimeOf(ctx, event.integration);
  const { name } = runtime.view;
  const installation =
    event.installation === null ? undefined : await installations.describedOf(ctx, name, event.installation);
  const content =
    event.content_installation === null
      ? undefined
      : await contentInstallations.describedOf(ctx, name, event.content_installation);
  const { tunnel } = runtime;
  const tunneled = tunnel && (tunnel.all || event.organization === runtime.organization);
  return {
    runtime,
    environment: await environmentOf(ctx, runtime, installation, content),
    tunnelUrl: tunneled ? tunnel.url : undefined,
  };
}

/**
 * Tells an integration of an event, by its tunnel in development mode, else by its script, and says how that went.
 * Throws for what is the platform's own trouble, so that it is tried again.
 */
export async function attempt(ctx: Ctx, event: Row): Promise<Outcome> {
  const logs: TraceLog[] = [];
  const say = (level: TraceLog["level"], message: string) =>
    void logs.push({ level, message, timestamp: ctx.clock().toISOString() });
  const failed = (message: string): Outcome => {
    say("error", message);
    return { status: "failed", logs };
  };
  const { runtime, environment, tunnelUrl } = await addresseeOf(ctx, event);
  const { type } = event.payload;
  say("info", `Sending ${type} to the ${tunnelUrl ? "development tunnel" : "script"}`);
  try {
    const first = await send({ event: JSON.stringify(event.payload) });
    if (event.payload.type !== "task" || first.status !== NOT_SUBSCRIBED) return await outcomeOf(first);
    // Older scripts take their tasks at an address of their own.
    return await outcomeOf(await send(taskRequest(runtime, event.payload)));
  } catch (error) {
    if (error instanceof EgressError) return failed(`The tunnel could not be reached: ${error.message}`);
    if (!(error instanceof ScriptFailed)) throw error;
    logs.push(...error.logs);
    return failed(error.message);
  }

  async function send(fields: Record<string, string>): Promise<Answer> {
    const form = multipart({ ...fields, environment: JSON.stringify(environment) });
    if (tunnelUrl) return sendToTunnel(ctx, tunnelUrl, form, runtime.signingSecret);
    const { script, organization } = runtime;
    return ctx.runtime.dispatch({ organization, script, ...form, signal: ctx.signal });
  }

  async function outcomeOf({ status, body, logs: told }: Answer): Promise<Outcome> {
    const isTaken = status >= 200 && status < 300;
    const isIgnored = status === NOT_SUBSCRIBED;
    const collected = told && (await Promise.race([told, sleep(LOGS_WITHIN_MS, undefined, { ref: false })]));
    if (collected) logs.push(...collected);
    const late = collected ? undefined : told;
    const text = body
      .toString("utf8", 0, 4 * SHOWN_CHARACTERS)
      .replaceAll("\0", "")
      .slice(0, SHOWN_CHARACTERS);
    if (!isTaken && !isIgnored)
      return { ...failed(`The integration answered ${status}${text && `: ${text}`}`), late };
    say(
      "info",
      isTaken ? `The integration answered ${status}` : "The integration does not listen to this event (406)",
    );
    return { status: "success", logs, late };
  }
}
