import { Refusal, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { jsonb } from "../db/jsonb.js";
import type { PlatformEvent } from "../schemas/event.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { type About, addresseeOf, send } from "./addressee.js";
import { keepLate } from "./late-logs.js";
import { excerptOf, startTrace } from "./trace.js";
import type { IntegrationResponse } from "./tunnel.js";

type WithoutId<Event> = Event extends PlatformEvent ? Omit<Event, "eventId"> : never;

/** What an integration is asked while somebody waits for the response. */
export interface Question {
  about: About;
  platformEvent: WithoutId<PlatformEvent>;
  /** The id under which it is recorded; a new one by default. */
  id?: string;
  /** The body of a request that is passed on to it. */
  body?: Buffer;
}

/** Questions at a time to the scripts of one publishing organization, whose process all of them share. */
const MOST_AT_ONCE = 32;
const LOGS_WITHIN_MS = 20;

const open = new WeakMap<object, Map<string, number>>();

/**
 * Asks an integration something, by its tunnel in development mode, else by its script; `read` makes of the response what
 * is wanted, or refuses. The event is recorded before the response is handed on. 502 without a response, 503 with a time
 * to come back while too many ask.
 */
export async function ask<Wanted>(
  ctx: Ctx,
  { about, platformEvent, id = newId(), body }: Question,
  read: (response: IntegrationResponse) => Wanted,
): Promise<Wanted> {
  const addressee = await addresseeOf(asItself(ctx), about);
  const leave = enter(ctx.runtime, addressee.runtime.organization);
  const { logs, say, collectLogs, logFailure } = startTrace(ctx);
  const event = { eventId: id, ...platformEvent } as PlatformEvent;
  let late: IntegrationResponse["logs"];
  let status: "success" | "failed" = "failed";
  try {
    say(
      "info",
      `Sending ${platformEvent.type} to the ${addressee.tunnelUrl ? "development tunnel" : "script"}`,
    );
    const fields = { event: JSON.stringify(event), ...(body && { "fetch-body": body }) };
    const response = await send(ctx, addressee, fields).catch((error: unknown) => {
      logFailure(error);
      return refuse("BAD_GATEWAY", "Integration: did not respond", { reason: "integration_failed" });
    });
    ({ late } = await collectLogs(response, LOGS_WITHIN_MS));
    say("info", `The integration returned ${response.status}`);
    const wanted = read(response);
    status = response.status < 500 ? "success" : "failed";
    if (status === "failed") say("error", excerptOf(response));
    return wanted;
  } catch (error) {
    if (error instanceof Refusal) say("error", error.message);
    throw error;
  } finally {
    leave();
    await keep();
  }

  async function keep() {
    const { integration, organization, installation, content_installation } = about;
    await queries.insertDelivered(ctx, {
      id: event.eventId,
      integration,
      organization,
      installation,
      content_installation,
      payload: jsonb(event),
      status,
      logs: jsonb(logs),
    });
    void keepLate(ctx, event.eventId, late);
  }
}

/** What a script receives about itself does not depend on who asks. */
const asItself = (ctx: Ctx): Ctx => ({
  ...ctx,
  caller: { kind: "service", service: "integrations" },
  identity: undefined,
  reply: { headers: {} },
});

function enter(runtime: object, organization: string): () => void {
  const counts = open.get(runtime) ?? new Map<string, number>();
  open.set(runtime, counts);
  const now = counts.get(organization) ?? 0;
  if (now >= MOST_AT_ONCE)
    refuse("SERVICE_UNAVAILABLE", "Integration: too many requests at a time", {
      reason: "integration_busy",
      headers: { "retry-after": "1" },
    });
  counts.set(organization, now + 1);
  return () => {
    const left = (counts.get(organization) ?? 1) - 1;
    if (left > 0) counts.set(organization, left);
    else counts.delete(organization);
  };
}
