import { setTimeout as sleep } from "node:timers/promises";
import { deliverSoon } from "../event-queue/record.js";
import * as queries from "../store/waiting-events.js";
import type { Ctx } from "../trpc.js";
import { type Addressee, addresseeOf, addresseesOf } from "./addressee.js";
import { attempt, type Outcome } from "./attempt.js";
import { keepLate } from "./late-logs.js";
import { notSent, recordOutcomes } from "./outcomes.js";

/** Events for the scripts of one publisher that are under way at a time, and of them those for one integration. */
const AT_ONCE = 32;
const OF_ONE = 8;
/** So long the first outcome waits for others that are recorded with it, while events are under way; and for so many. */
const GATHER_MS = 40;
const GATHERED = AT_ONCE / 2;
/** After so long the rest is left to another job, so that nobody's events keep a worker. */
const TURN_MS = 30_000;
/** Tries of an event that fails for a reason of our own. */
const TRIES = 8;

interface Tried {
  event: queries.Waiting;
  /** Absent where the platform was in trouble. */
  outcome?: Outcome;
  error?: unknown;
}

/**
 * Delivers the events that wait for the scripts of a publisher, and records how that went, many at a time: each
 * installation receives its events one after the other, in the order in which they happened. One job does that at a time.
 * When the process dies in between, the next one sends again what was not recorded: an integration receives an event at
 * least once, always under the same id, and the record is made once. An event that fails for a reason of our own is tried
 * again later, and the later ones of its installation wait for it.
 */
export async function deliverWaiting(ctx: Ctx, publisher: string, turnMs = TURN_MS): Promise<void> {
  const underWay = new Map<string, { integration: string; tried: Promise<unknown> }>();
  const ended: Tried[] = [];
  const until = performance.now() + turnMs;
  let above = "";
  let left = false;

  try {
    for (;;) {
      if (performance.now() < until && !ctx.signal?.aborted) await begin();
      else left = true;
      if (underWay.size === 0) break;
      await someEnded();
      // Nothing of an installation is begun before what went ahead is recorded.
      await settle(ended.splice(0));
    }
  } finally {
    // What cannot be recorded is sent again, but not beside itself.
    await Promise.all([...underWay.values()].map(({ tried }) => tried));
  }
  ctx.signal?.throwIfAborted();
  if (left) await deliverSoon(ctx, publisher);

  /** Begins events of installations that have none under way, until there is no more room, or no such event. */
  async function begin(): Promise<void> {
    while (underWay.size < AT_ONCE) {
      const [from, most] = [above, AT_ONCE - underWay.size];
      const found = await queries.next(ctx, {
        publisher,
        above,
        busy: [...underWay.keys()],
        full: full(),
        now: ctx.clock(),
        most,
      });
      above = found.length < most ? "" : found.at(-1)!.installation;
      const events = withinShares(found);
      if (events.length > 0) await send(events);
      // All were looked at.
      if (found.length < most && from === "") return;
    }
  }

  function countOf(integration: string): number {
    return [...underWay.values()].filter((one) => one.integration === integration).length;
  }

  function full(): string[] {
    const integrations = new Set([...underWay.values()].map((one) => one.integration));
    return [...integrations].filter((one) => countOf(one) >= OF_ONE);
  }

  /** Those for which their integration has room. */
  function withinShares(events: queries.Waiting[]): queries.Waiting[] {
    const counts = new Map<string, number>();
    return events.filter(({ integration }) => {
      const count = counts.get(integration) ?? countOf(integration);
      counts.set(integration, count + 1);
      return count < OF_ONE;
    });
  }

  async function send(events: queries.Waiting[]): Promise<void> {
    const addressees = await addresseesOf(ctx, events).catch(() => undefined);
    for (const event of events) {
      const tried = tryOne(event, addressees).then((one) => ended.push(one));
      underWay.set(event.installation, { integration: event.integration, tried });
    }
  }

  async function tryOne(
    event: queries.Waiting,
    addressees?: (about: queries.Waiting) => Addressee,
  ): Promise<Tried> {
    try {
      const addressee = addressees?.(event) ?? (await addresseeOf(ctx, event));
      return { event, outcome: await attempt(ctx, event, addressee) };
    } catch (error) {
      return { event, error };
    }
  }

  /** Waits until there is something to record, and a moment for more of it. */
  async function someEnded(): Promise<void> {
    const first = () => Promise.race([...underWay.values()].map(({ tried }) => tried));
    await first();
    const late = performance.now() + GATHER_MS;
    while (ended.length < Math.min(GATHERED, underWay.size) && performance.now() < late) await sleep(2);
  }

  async function settle(tried: Tried[]): Promise<void> {
    const outcomes = tried.flatMap(({ event, outcome }) => (outcome ? [{ event, outcome }] : []));
    if (outcomes.length > 0) await recordOutcomes(ctx, outcomes);
    for (const { event, outcome } of outcomes) void keepLate(ctx, event.id, outcome.late);
    for (const { event, outcome, error } of tried) {
      if (!outcome && !ctx.signal?.aborted) await putOff(event, error);
      underWay.delete(event.installation);
    }
  }

  async function putOff(event: queries.Waiting, error: unknown): Promise<void> {
    ctx.log.warn({ err: error, event: event.id, attempt: event.attempts + 1 }, "an event was not sent");
    if (event.attempts + 1 >= TRIES) return recordOutcomes(ctx, [{ event, outcome: notSent(ctx) }]);
    const pauseMs = 1_000 * Math.exp(event.attempts + 1);
    // Events that are put off together are tried by one job, in the same second.
    const again = new Date(Math.ceil((ctx.clock().getTime() + pauseMs) / 1_000) * 1_000);
    await queries.putOff(ctx, event.id, again);
    await deliverSoon(ctx, publisher, again);
  }
}
