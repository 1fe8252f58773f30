import { transact } from "@octavo/shared/database/transact";
import * as contentInstallations from "../content-installations/runtime.js";
import { jsonb } from "../db/jsonb.js";
import * as installations from "../installations/runtime.js";
import * as integrations from "../integrations/runtime.js";
import type { TraceLog } from "../schemas/event.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { attempt, type Outcome } from "./attempt.js";
import { keepLate } from "./late-logs.js";

/**
 * Delivers an event to an integration, after all earlier ones of its installation, and records how
 * that went. When the process dies in between, the job runs again: the integration receives the event at least once,
 * always under the same id, and the record is made once.
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
    const outcome = await attempt(ctx, event);
    await recordOutcome(ctx, event, outcome);
    void keepLate(ctx, event.id, outcome.late);
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
  if (event) await recordOutcome(ctx, event, { status: "failed", logs });
}

async function recordOutcome(ctx: Ctx, event: queries.Row, { status, logs }: Outcome): Promise<void> {
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
