import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { authenticate } from "@octavo/shared/events/authenticate";
import { connectBus } from "@octavo/shared/events/bus";
import type { EventVerifier } from "@octavo/shared/events/signature";
import { DEFAULT_STREAM } from "@octavo/shared/events/stream";
import type { Logger } from "@octavo/shared/log";
import { LRUCache } from "lru-cache";
import type { Msg, NatsConnection, Subscription } from "nats";
import type { Bearers } from "./bearer.js";
import type { Hosts } from "./hosts.js";

const { prefix } = DEFAULT_STREAM;
/** What orgs and integrations publish, but for their records of the audit; of sites, where they are to be found. */
const SUBJECTS = [`${prefix}.orgs.*.*`, `${prefix}.integrations.*.*`, `${prefix}.${SiteAudience.name}`];
/** An older signature belongs to an event that the gateway received long ago, or whose entry has expired. */
const OLDEST_MS = 3_600_000;
const BEAT_MS = 400;
/** A flood of forged messages is one line a minute. */
const WARN_MS = 60_000;
/** Without a round trip that began within this time, the broker counts as away. */
const SILENCE_MS = 1_000;

export interface Changes {
  /** Whether changes at the services reach this gateway at this moment. */
  isConnected(): boolean;
  stop(): Promise<void>;
}

/**
 * Listens to what services publish and drops the bearers and the hosts that it concerns, each event once: what they did
 * not sign has no effect, nor has an event that is sent again, so nobody else can have tokens looked up. JetStream's messages are ordinary ones,
 * so a plain subscription receives them; while the broker is away, bearers are cached for a short time only, and
 * none from before when it is back.
 */
export function listenForChanges(
  { natsUrl, verifier, log }: { natsUrl: string; verifier: EventVerifier; log: Logger },
  bearers: Pick<Bearers, "drop" | "dropAll">,
  hosts?: Pick<Hosts, "drop" | "dropAll">,
): Changes {
  let lastBeat = 0;
  let beating = false;
  let subscribed: NatsConnection | undefined;
  let warnedAt = 0;
  const seen = new LRUCache<string, true>({ max: 10_000 });
  const isConnected = () => Date.now() - lastBeat < SILENCE_MS;
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
      if (!isConnected()) {
        bearers.dropAll();
        hosts?.dropAll();
      }
      lastBeat = began;
    } catch {
      // It broke off; the next one shows.
    } finally {
      beating = false;
    }
  }

  async function listen(subscription: Subscription) {
    for await (const message of subscription) await take(message).catch((error) => refuse(error, message));
  }

  async function take(message: Msg) {
    const { id, name, payload } = await authenticate({ verifier, prefix, oldestMs: OLDEST_MS }, message);
    if (seen.has(id)) return;
    seen.set(id, true);
    if (name === SiteAudience.name) hosts?.drop(SiteAudience.payload.parse(payload));
    else bearers.drop(idsIn(payload));
  }

  function refuse(err: unknown, { subject }: Msg) {
    if (Date.now() - warnedAt < WARN_MS) return;
    warnedAt = Date.now();
    log.warn({ err, subject }, "a message that no service signed is passed over");
  }

  return {
    isConnected,
    async stop() {
      clearInterval(timer);
      lastBeat = 0;
      await bus.close();
    },
  };
}

/** Every id that an event's payload names, whatever it calls them. */
function idsIn(payload: unknown): Set<string> {
  return new Set(Object.values(payload ?? {}).filter((value): value is string => typeof value === "string"));
}
