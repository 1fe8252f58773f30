import { InstallationPlaced } from "@octavo/shared/contracts/events/integrations";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { jsonb } from "../db/jsonb.js";
import type { PlatformEvent } from "../schemas/event.js";
import * as queries from "../store/events.js";
import { insertWaiting } from "../store/waiting-events.js";
import type { Ctx } from "../trpc.js";
import { deliverEvent, deliverWaiting } from "./jobs.js";

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
 * installations; takes a statement for each thousand, and a job for each publisher.
 */
export async function recordAll(ctx: Ctx, installations: Installation[], bodies: EventBody[]): Promise<void> {
  const rows = installations.flatMap((installation) =>
    bodies.map((body) => {
      const { id: of, integration, organization, contentInstallation = null } = installation;
      const id = newId();
      const payload = { eventId: id, installationId: of, ...body } as PlatformEvent;
      return { id, integration, installation: of, organization, contentInstallation, payload };
    }),
  );
  const publishers = rows.length === 0 ? [] : await insertWaiting(ctx, rows);
  for (const publisher of publishers) await deliverSoon(ctx, publisher);
}

/** Has the events delivered, after the transaction, that wait for the scripts of a publisher; or at a later time. */
export async function deliverSoon(ctx: Ctx, publisher: string, runAt?: Date): Promise<void> {
  const queue = `deliveries ${publisher}`;
  // What waits for a later time is a job of its own, for one key would put off the others.
  const key = runAt && `${queue} ${runAt.toISOString()}`;
  await enqueue(ctx, deliverWaiting, { publisher }, { queue, key, runAt });
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
  await queries.insert(ctx, { id, integration: integration.id, organization, payload: jsonb(payload) });
  await enqueue(ctx, deliverEvent, { event: id }, { key: id, queue: `tasks ${integration.id}`, runAt });
}
