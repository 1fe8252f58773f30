import { newId } from "@octavo/shared/ids";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { jsonb } from "../db/jsonb.js";
import type { PlatformEvent } from "../schemas/event.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { deliverEvent } from "./jobs.js";

/** What an event says besides its own id and its installation's. */
export type EventBody<Event extends PlatformEvent = PlatformEvent> = Event extends PlatformEvent
  ? Omit<Event, "eventId" | "installationId">
  : never;

interface Installation {
  id: string;
  integration: string;
  organization: string;
}

/** Records, inside a transaction, that an integration is to be told something of an installation: told it is after the commit. */
export async function record(ctx: Ctx, installation: Installation, said: EventBody): Promise<void> {
  const id = newId();
  const payload = { eventId: id, installationId: installation.id, ...said } as PlatformEvent;
  const { integration, organization } = installation;
  await queries.insert(ctx, {
    id,
    integration,
    installation: installation.id,
    organization,
    payload: jsonb(payload),
  });
  await enqueue(ctx, deliverEvent, { event: id }, { key: id, queue: laneOf(installation) });
}

const LANES = 4;

/**
 * What is in one lane is delivered one after the other: an installation hears of things in the order in which they
 * happened, and an integration that answers slowly holds up nobody else.
 */
const laneOf = ({ id, integration }: Installation) =>
  `${integration} ${id.charCodeAt(id.length - 1) % LANES}`;
