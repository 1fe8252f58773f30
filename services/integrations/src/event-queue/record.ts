import { InstallationPlaced } from "@octavo/shared/contracts/events/integrations";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { enqueue, enqueueEach } from "@octavo/shared/jobs/enqueue";
import { jsonb } from "../db/jsonb.js";
import type { PlatformEvent } from "../schemas/event.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { deliverEvent } from "./jobs.js";

/** What happens to an installation. */
type OfInstallation = Extract<PlatformEvent, { installationId: string }>;

/** What an event says besides its own id and its installation's. */
export type EventBody<Event extends OfInstallation = OfInstallation> = Event extends OfInstallation
  ? Omit<Event, "eventId" | "installationId">
  : never;

interface Installation {
  id: string;
  integration: string;
  organization: string;
  /** The installation on the one space or site that the event is about. */
  contentInstallation?: string | null;
}

/** Records, inside a transaction, that an integration is to be notified of an event of an installation, after the commit. */
export const record = (ctx: Ctx, installation: Installation, body: EventBody): Promise<void> =>
  recordAll(ctx, [installation], [body]);

/**
 * Records, inside a transaction, that integrations are to be notified of events, in their order, for each of their
 * installations; takes two statements for each thousand.
 */
export async function recordAll(ctx: Ctx, installations: Installation[], bodies: EventBody[]): Promise<void> {
  const recorded = installations.flatMap((installation) =>
    bodies.map((body) => ({ id: newId(), installation, body })),
  );
  if (recorded.length === 0) return;
  const rows = recorded.map(({ id, installation: { contentInstallation = null, ...installation }, body }) => {
    const { integration, organization } = installation;
    const payload = { eventId: id, installationId: installation.id, ...body } as PlatformEvent;
    const about = { integration, installation: installation.id, organization };
    return { id, ...about, content_installation: contentInstallation, payload: jsonb(payload) };
  });
  await queries.insert(ctx, rows);
  await enqueueEach(
    ctx,
    deliverEvent,
    recorded.map(({ id, installation }) => ({
      payload: { event: id },
      key: id,
      queue: laneOf(installation),
    })),
  );
}

/** Emits, inside a transaction, that an installation works in more spaces or sites than before, or in fewer. */
export const announcePlaced = (ctx: Ctx, { id, organization }: Pick<Installation, "id" | "organization">) =>
  emit(ctx, InstallationPlaced, id, { installation: id, organization });

/** Records, inside a transaction, a task that an integration scheduled for itself, delivered not before a time. */
export async function recordTask(
  ctx: Ctx,
  integration: { id: string; organization: string },
  task: Record<string, unknown>,
  runAt: Date,
): Promise<void> {
  const id = newId();
  const payload: PlatformEvent = { eventId: id, type: "task", task };
  const { organization } = integration;
  await queries.insert(ctx, [{ id, integration: integration.id, organization, payload: jsonb(payload) }]);
  const queue = laneOf({ id, integration: integration.id });
  await enqueue(ctx, deliverEvent, { event: id }, { key: id, queue, runAt });
}

const LANES = 4;

/**
 * What is in one lane is delivered one after the other: an installation receives events in the order in which they
 * happened, and an integration that responds slowly delays nobody else.
 */
const laneOf = ({ id, integration }: Pick<Installation, "id" | "integration">) =>
  `${integration} ${id.charCodeAt(id.length - 1) % LANES}`;
