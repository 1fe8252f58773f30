import { createHmac } from "node:crypto";
import { transact } from "@octavo/shared/database/transact";
import { EgressError, type EgressResponse } from "@octavo/shared/egress/client";
import * as contentInstallations from "../content-installations/runtime.js";
import { jsonb } from "../db/jsonb.js";
import * as installations from "../installations/runtime.js";
import * as integrations from "../integrations/runtime.js";
import type { TraceLog } from "../schemas/event.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { environmentOf } from "./environment.js";
import { multipart } from "./multipart.js";

const TIMEOUT_MS = 10_000;
const NOT_SUBSCRIBED = 406;
const SHOWN_CHARACTERS = 500;

interface Outcome {
  status: "success" | "failed";
  logs: TraceLog[];
}

/**
 * Tells an integration of an event, after all that its installation still has to hear of before it, and records how that went. When the process dies in between, the job runs again:
 * the integration hears of the event at least once, always under the same id, and the record is made once.
 */
export async function deliver(ctx: Ctx, id: string): Promise<void> {
  const event = await queries.waiting(ctx, id);
  if (!event) return;
  // What is tried again later must not be overtaken.
  for (let earlier = await queries.firstBefore(ctx, event); earlier; ) {
    await deliverOne(ctx, earlier);
    earlier = await queries.firstBefore(ctx, event);
  }
  await deliverOne(ctx, event);
}

async function deliverOne(ctx: Ctx, event: queries.Row): Promise<void> {
  try {
    await settle(ctx, event, await attempt(ctx, event));
  } catch (error) {
    // What it was about may have been removed meanwhile, and the event with it.
    if (await queries.waiting(ctx, event.id)) throw error;
  }
}

/** Records that an event could not be delivered for a reason of our own. */
export async function giveUp(ctx: Ctx, id: string): Promise<void> {
  const event = await queries.waiting(ctx, id);
  const message = "The event could not be sent: a part of the platform was not available";
  const logs: TraceLog[] = [{ level: "error", message, timestamp: ctx.clock().toISOString() }];
  if (event) await settle(ctx, event, { status: "failed", logs });
}

async function settle(ctx: Ctx, event: queries.Row, { status, logs }: Outcome): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await queries.markDelivered(ctx, event.id, status, jsonb(logs)))) return;
    const { payload, content_installation } = event;
    if (payload.type === "installation_deleted") await installations.forget(ctx, payload.installationId);
    if (content_installation !== null && isEndOfContent(payload.type))
      await contentInstallations.forget(ctx, content_installation);
    await integrations.forget(ctx, event.integration);
  });
}

const isEndOfContent = (type: string) => /^(space|site)_installation_deleted$/.test(type);

async function attempt(ctx: Ctx, event: queries.Row): Promise<Outcome> {
  const logs: TraceLog[] = [];
  const say = (level: TraceLog["level"], message: string) =>
    void logs.push({ level, message, timestamp: ctx.clock().toISOString() });
  const failed = (message: string): Outcome => {
    say("error", message);
    return { status: "failed", logs };
  };

  const runtime = await integrations.runtimeOf(ctx, event.integration);
  const { tunnel } = runtime;
  if (!tunnel) return failed("There is no runtime to run the script in, and development mode is off");
  if (!tunnel.all && event.organization !== runtime.organization) {
    return failed(
      "There is no runtime to run the script in, and development mode is on for the publishing organization alone",
    );
  }
  const installation =
    event.installation === null
      ? undefined
      : await installations.describedOf(ctx, runtime.view.name, event.installation);
  const content =
    event.content_installation === null
      ? undefined
      : await contentInstallations.describedOf(ctx, runtime.view.name, event.content_installation);
  const environment = await environmentOf(ctx, runtime, installation, content);
  const { body, contentType } = multipart({
    event: JSON.stringify(event.payload),
    environment: JSON.stringify(environment),
  });
  say("info", `Sending ${event.payload.type} to the development tunnel`);
  try {
    const answer = await ctx.egress.fetch(tunnel.url, {
      method: "POST",
      headers: { "content-type": contentType, "x-integration-signature": sign(body, runtime.signingSecret) },
      body,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      signal: ctx.signal,
    });
    return judge(answer, await textOf(answer));
  } catch (error) {
    if (error instanceof EgressError) return failed(`The tunnel could not be reached: ${error.message}`);
    throw error;
  }

  function judge({ status }: EgressResponse, text: string): Outcome {
    const heard = status >= 200 && status < 300;
    if (!heard && status !== NOT_SUBSCRIBED)
      return failed(`The integration answered ${status}${text && `: ${text}`}`);
    say(
      "info",
      heard ? `The integration answered ${status}` : "The integration does not listen to this event (406)",
    );
    return { status: "success", logs };
  }
}

/** HMAC-SHA256 of the raw body in lower-case hex. */
const sign = (body: Buffer, secret: string) => createHmac("sha256", secret).update(body).digest("hex");

/** The beginning of what was answered. It is read to its end, for a script may still be at work on it. */
async function textOf(answer: EgressResponse): Promise<string> {
  const text = await answer.text().catch(() => "");
  return text.replaceAll("\0", "").slice(0, SHOWN_CHARACTERS);
}
