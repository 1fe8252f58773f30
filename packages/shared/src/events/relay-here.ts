/** The relays of this process that have their turn, by the schemas whose outboxes they read. */
const relays = new Map<string, () => void>();

/** Wakes the relay of a schema that works in this process; undefined when another copy of the service has the turn, or none. */
export const relayHere = (schema: string): (() => void) | undefined => relays.get(schema);

/** Lets the relay of a schema be woken from within this process for as long as `work` goes on. */
export async function whileRelayIsHere(
  schema: string,
  wake: () => void,
  work: () => Promise<void>,
): Promise<void> {
  relays.set(schema, wake);
  try {
    await work();
  } finally {
    if (relays.get(schema) === wake) relays.delete(schema);
  }
}
