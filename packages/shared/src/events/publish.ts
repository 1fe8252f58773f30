import { headers, type NatsConnection } from "nats";
import { type EventSigner, SIGNATURE_HEADER } from "./signature.js";
import { subjectOf } from "./subject.js";

export interface WaitingRow {
  position: number;
  id: string;
  name: string;
  aggregate: string;
  body: string;
}

const TIMEOUT_MS = 5_000;

/**
 * Signs and publishes rows under message ids of their own. Different aggregates go side by side; within one aggregate each
 * waits for the acknowledgement of the one before, so that a failure never lets a later event overtake.
 */
export async function publishRows(
  connection: NatsConnection,
  { prefix, signer }: { prefix: string; signer: EventSigner },
  rows: WaitingRow[],
) {
  const stream = connection.jetstream({ timeout: TIMEOUT_MS });
  const published: number[] = [];
  let lastSequence = 0;
  let failure: unknown;

  async function publishChain(chain: WaitingRow[]) {
    for (const { id, name, body, position } of chain) {
      if (failure !== undefined) return;
      try {
        const data = Buffer.from(body);
        const signed = headers();
        signed.set(SIGNATURE_HEADER, await signer.sign(data));
        const subject = subjectOf(prefix, signer.publisher, name);
        // Releases before signatures used the bare id, which the stream would take for a duplicate for some minutes.
        const ack = await stream.publish(subject, data, { msgID: `${id}.signed`, headers: signed });
        published.push(position);
        lastSequence = Math.max(lastSequence, ack.seq);
      } catch (error) {
        failure ??= error;
      }
    }
  }

  const chains = new Map<string, WaitingRow[]>();
  for (const row of rows) {
    const chain = chains.get(row.aggregate);
    if (chain) chain.push(row);
    else chains.set(row.aggregate, [row]);
  }
  await Promise.all([...chains.values()].map(publishChain));
  return { published, lastSequence, failure };
}
