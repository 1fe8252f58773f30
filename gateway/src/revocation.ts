import { connectBus } from "@octavo/shared/events/bus";
import { Envelope } from "@octavo/shared/events/define";
import type { Logger } from "@octavo/shared/log";
import type { NatsConnection, Subscription } from "nats";
import type { Bearers } from "./bearer.js";

const SUBJECTS = ["octavo.events.orgs.>", "octavo.events.integrations.>"];
const BEAT_MS = 400;
/** Without a round trip that began within this time, the broker counts as away. */
const SILENCE_MS = 1_000;

export interface Changes {
  /** Whether changes at orgs and integrations reach this gateway at this moment. */
  heard(): boolean;
  stop(): Promise<void>;
}

/**
 * Listens to what orgs and integrations publish and drops the bearers that it concerns. JetStream's messages are ordinary ones,
 * so a plain subscription hears them; while the broker is away, bearers are believed for a short time only, and
 * none from before when it is back.
 */
export function listenForChanges(
  { natsUrl, log }: { natsUrl: string; log: Logger },
  bearers: Pick<Bearers, "drop" | "dropAll">,
): Changes {
  let lastBeat = 0;
  let beating = false;
  let subscribed: NatsConnection | undefined;
  const heard = () => Date.now() - lastBeat < SILENCE_MS;
  const bus = connectBus({ natsUrl, name: "gateway", log, onChange: () => void beat() });
  const timer = setInterval(() => void beat(), BEAT_MS);

  /** Whatever is published before a round trip begins has arrived when it ends. */
  async function beat() {
    const connection = bus.connection();
    if (!connection || beating) return;
    beating = true;
    const began = Date.now();
    try {
      if (subscribed !== connection) {
        for (const subject of SUBJECTS) void listen(connection.subscribe(subject));
      }
      subscribed = connection;
      await connection.flush();
      if (!heard()) bearers.dropAll();
      lastBeat = began;
    } catch {
      // It broke off; the next one tells.
    } finally {
      beating = false;
    }
  }

  async function listen(subscription: Subscription) {
    for await (const message of subscription) {
      const ids = idsIn(message.string());
      if (ids.size > 0) bearers.drop(ids);
      else bearers.dropAll();
    }
  }

  return {
    heard,
    async stop() {
      clearInterval(timer);
      lastBeat = 0;
      await bus.close();
    },
  };
}

/** Every id that an event's payload names, whatever it calls them; none if it is no event. */
function idsIn(text: string): Set<string> {
  try {
    const { payload } = Envelope.parse(JSON.parse(text));
    return new Set(
      Object.values(payload as object).filter((value): value is string => typeof value === "string"),
    );
  } catch {
    return new Set();
  }
}
