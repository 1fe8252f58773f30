import { transact } from "@octavo/shared/database/transact";
import * as contentInstallations from "../content-installations/runtime.js";
import * as installations from "../installations/runtime.js";
import * as integrations from "../integrations/runtime.js";
import type { Row } from "../store/events.js";
import { settle } from "../store/waiting-events.js";
import type { Ctx } from "../trpc.js";
import type { Outcome } from "./attempt.js";

/** An event, and how its delivery ended. */
export interface Ended {
  event: Row;
  outcome: Outcome;
}

/** The outcome of an event that could not be delivered for a reason of our own. */
export function notSent(ctx: Pick<Ctx, "clock">): Outcome {
  const message = "The event could not be sent: a part of the platform was not available";
  return { status: "failed", logs: [{ level: "error", message, timestamp: ctx.clock().toISOString() }] };
}

/** Records how deliveries ended, by one statement, and removes for good what waited for them. */
export async function recordOutcomes(ctx: Ctx, ended: Ended[]): Promise<void> {
  const inOrder = ended.toSorted((one, other) => (one.event.id < other.event.id ? -1 : 1));
  await transact(ctx, async (ctx) => {
    const rows = inOrder.map(({ event: { id }, outcome: { status, logs } }) => ({ id, status, logs }));
    const settled = await settle(ctx, rows);
    const events = inOrder.flatMap(({ event }) => (settled.has(event.id) ? event : []));
    for (const { payload, content_installation } of events) {
      if (payload.type === "installation_deleted") await installations.forget(ctx, payload.installationId);
      if (content_installation !== null && isEndOfContent(payload.type))
        await contentInstallations.forget(ctx, content_installation);
    }
    await integrations.forget(ctx, [...new Set(events.map(({ integration }) => integration))]);
  });
}

const isEndOfContent = (type: string) => /^(space|site)_installation_deleted$/.test(type);
