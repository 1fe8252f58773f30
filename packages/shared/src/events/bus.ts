import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, connect, type NatsConnection } from "nats";
import type { Logger } from "../log.js";

export interface Bus {
  /** The connection, while it is up. */
  connection(): NatsConnection | undefined;
  /** Counts the times that it came up: what was known of the server before may be gone. */
  epoch(): number;
  close(): Promise<void>;
}

export interface BusOptions {
  natsUrl: string;
  /** Shown in the server's list of connections. */
  name: string;
  log: Pick<Logger, "warn" | "info">;
  /** Called whenever the connection comes up or goes. */
  onChange?: () => void;
}

/** A connection to NATS that is kept up for ever: an outage is one warning, and one line when it is over. */
export function connectBus({ natsUrl, name, log, onChange }: BusOptions): Bus {
  let current: NatsConnection | undefined;
  let up = false;
  let away = false;
  let epoch = 0;
  const stopping = new AbortController();

  const change = (isUp: boolean, error?: unknown) => {
    if (stopping.signal.aborted) return;
    up = isUp;
    if (isUp) epoch += 1;
    if (isUp && away) log.info({ bus: name }, "NATS is back");
    if (!isUp && !away) log.warn({ bus: name, err: error }, "NATS is away, events wait");
    away = !isUp;
    onChange?.();
  };

  // The iterator does not end with the connection, so nobody waits for it.
  async function follow(connection: NatsConnection) {
    for await (const { type } of connection.status()) {
      if (connection !== current) return;
      if (type === "disconnect") change(false);
      if (type === "reconnect") change(true);
    }
  }

  async function keepUp() {
    while (!stopping.signal.aborted) {
      try {
        current = await connect(connectionOptions(natsUrl, name));
        if (stopping.signal.aborted) return await current.close();
        change(true);
        void follow(current);
        change(false, await current.closed());
      } catch (error) {
        change(false, error);
      }
      await sleep(500, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = keepUp();
  return {
    connection: () => (up ? current : undefined),
    epoch: () => epoch,
    close: async () => {
      stopping.abort();
      up = false;
      await current?.close();
      await running;
    },
  };
}

/** Lets the worker end what it is at; what waits for a response of NATS for too long is cut off. */
export async function stopBoth(worker: { stop(): Promise<void> }, bus: Bus): Promise<void> {
  const stopped = worker.stop();
  let patience: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    patience = setTimeout(resolve, 2_000);
  });
  await Promise.race([stopped, late]);
  clearTimeout(patience);
  await bus.close();
  await stopped;
}

/**
 * How to connect to NATS as `NATS_URL` says. Responses come to an inbox of the user's own, which the permissions of the
 * broker keep from all others.
 */
export function connectionOptions(natsUrl: string, name: string): ConnectionOptions {
  const urls = natsUrl.split(",").map((each) => new URL(each.includes("://") ? each : `nats://${each}`));
  const { username = "", password = "" } = urls[0] ?? {};
  const user = decodeURIComponent(username);
  const credentials = password ? { user, pass: decodeURIComponent(password) } : user ? { token: user } : {};
  return {
    servers: urls.map(({ host }) => host),
    name,
    ...credentials,
    ...(password && { inboxPrefix: `_INBOX_${user}` }),
    ...(urls.some(({ protocol }) => protocol === "tls:") ? { tls: {} } : {}),
    // An error with a stack for each request, of which none may come to need it.
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 10_000,
    timeout: 5_000,
  };
}
