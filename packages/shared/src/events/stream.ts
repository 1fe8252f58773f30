import {
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
  return { manager, created: String(info.created), lastSequence: info.state.last_seq };
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "404";
}
