import type { IncomingMessage } from "node:http";
import { yielding } from "@octavo/shared/workers/yield";
import type { UpstreamName } from "./config.js";

/** A request for a body that is kept here, which goes out once the service has confirmed it. */
export interface Asker {
  /** Asks the service. */
  ask(): void;
  /** Sends what the service has just confirmed to another one like this. */
  send(confirmed: IncomingMessage): void;
}

/** How a request ended: with the response that confirmed what is kept, with another one, or without any. */
export type Ended = (how: { confirmed: IncomingMessage } | "otherwise" | "gone") => void;

export interface Confirmations {
  /**
   * Calls `ask` at once, or, when others of the same name have it confirmed, `ask` or `send` later. Returns what tells how the
   * request ended; what is told first counts.
   */
  enter(name: string, asker: Asker): Ended;
}

/** The name of all requests that a service is sent by the same caller, for the same, in the same words. */
export function nameOf(service: UpstreamName, { url, headers }: IncomingMessage): string {
  const { "x-request-id": _, traceparent: __, tracestate: ___, ...same } = headers;
  return JSON.stringify([service, url, same]);
}

interface Group {
  asking: Asker;
  /** Those that came before it asked. */
  sharing: Set<Asker>;
  /** Those that came since. */
  waiting: Set<Asker>;
}

/**
 * Creates what asks a service once for all who ask for the same at a time: those that come while one is under way share the
 * next. Each is sent what was confirmed after it came, so nobody misses a change that was acknowledged before.
 */
export function createConfirmations(): Confirmations {
  const groups = new Map<string, Group>();

  function begin(name: string, [asking, ...others]: readonly Asker[]) {
    if (!asking) return void groups.delete(name);
    groups.set(name, { asking, sharing: new Set(others), waiting: new Set() });
    asking.ask();
  }

  return {
    enter(name, asker) {
      const group = groups.get(name);
      if (group) group.waiting.add(asker);
      else begin(name, [asker]);
      return (how) => {
        const group = groups.get(name);
        if (group?.asking !== asker) {
          group?.sharing.delete(asker);
          group?.waiting.delete(asker);
          return;
        }
        const { sharing, waiting } = group;
        // Nothing was confirmed for those that came before it asked.
        if (how === "gone") return begin(name, [...sharing, ...waiting]);
        begin(name, [...waiting]);
        if (how === "otherwise") for (const one of sharing) one.ask();
        else void sendAll(sharing, how.confirmed);
      };
    },
  };
}

/** Sends what was confirmed to many, with turns for others in between. */
async function sendAll(askers: Iterable<Asker>, confirmed: IncomingMessage): Promise<void> {
  const giveWay = yielding();
  for (const one of askers) {
    one.send(confirmed);
    await giveWay();
  }
}
