import type { ClientBase } from "pg";
import { z } from "zod";

const CHANNEL = "worker:migrate";
const Told = z.object({ migrationNumber: z.number() });

/**
 * Keeps the library from ending its workers as the queue of another schema is migrated. All queues of a database tell of
 * their migrations on one channel, which does not say whose it was. `latest` is the number of the last migration of the
 * own queue: what is told of it later has a higher one, and any other is of another queue, such as one that is set up.
 */
export function ignoreOtherQueues(client: ClientBase, latest: number): void {
  const emit = client.emit.bind(client);
  client.emit = (name: string | symbol, ...given: unknown[]) =>
    name === "notification" && isOfAnother(given[0], latest) ? true : emit(name, ...given);
}

const Message = z.object({ channel: z.literal(CHANNEL), payload: z.string() });

function isOfAnother(given: unknown, latest: number): boolean {
  const message = Message.safeParse(given).data;
  if (!message) return false;
  const told = Told.safeParse(parsed(message.payload)).data;
  return told !== undefined && told.migrationNumber <= latest;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
