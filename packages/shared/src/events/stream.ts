import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
} from "nats";

/** Where events travel. The default is the one of production; tests take their own. */
export interface StreamOptions {
  stream?: string;
  /** Events travel on `<prefix>.<event name>`. */
  prefix?: string;
}

export const DEFAULT_STREAM = { stream: "OCTAVO_EVENTS", prefix: "octavo.events" };

const DAY_MS = 86_400_000;
const KEEP_MS = 14 * DAY_MS;
const DUPLICATE_WINDOW_MS = 2 * 60_000;

export interface StreamState {
  manager: JetStreamManager;
  /** When the stream was created: another value than before means that the old one is gone. */
  created: string;
  /** The first message that has not expired. */
  firstSequence: number;
  lastSequence: number;
}

/** The stream as it is now; it is created where it is missing, and left as it is where it exists. */
export async function ensureStream(
  connection: NatsConnection,
  { stream, prefix }: Required<StreamOptions>,
): Promise<StreamState> {
  const manager = await connection.jetstreamManager({ timeout: 5_000 });
  const info = await manager.streams.info(stream).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return manager.streams.add({
      name: stream,
      subjects: [`${prefix}.>`],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_age: nanos(KEEP_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    });
  });
  const { first_seq, last_seq } = info.state;
  return { manager, created: String(info.created), firstSequence: first_seq, lastSequence: last_seq };
}

/**
 * Whether a message on these subjects is in the stream at the sequence or behind it. A consumer that is made for the
 * request decides, so that whoever asks needs no right to read other subjects.
 */
export async function holdsSince(
  { manager }: StreamState,
  {
    stream,
    subjects,
    consumer,
    sequence,
  }: Record<"stream" | "subjects" | "consumer", string> & {
    sequence: number;
  },
): Promise<boolean> {
  await removeConsumer(manager, stream, consumer);
  const { num_pending } = await manager.consumers.add(stream, {
    name: consumer,
    filter_subject: subjects,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: sequence,
    headers_only: true,
    inactive_threshold: nanos(10_000),
    mem_storage: true,
  });
  await removeConsumer(manager, stream, consumer);
  return num_pending > 0;
}

/** Removes a consumer, unless it is gone already. */
export async function removeConsumer({ consumers }: JetStreamManager, stream: string, name: string) {
  await consumers.delete(stream, name).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** Returns whether an error of JetStream says that a stream, a consumer or a message is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "404";
}
