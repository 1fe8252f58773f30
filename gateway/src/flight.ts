import type { ClientRequest, IncomingMessage } from "node:http";
import type { End } from "./abreast.js";
import type { Collected } from "./collect.js";
import type { UpstreamName } from "./config.js";
import type { Ended } from "./confirmations.js";
import type { Reusable } from "./reusable.js";

/** A request that is with a service, from when it is sent there until its response has gone to the client. */
export interface Flight {
  retried: boolean;
  /** The gateway has responded itself; what the service still sends is dropped. */
  over: boolean;
  limit: number;
  service: UpstreamName;
  party: string;
  /** A body that may be what the service would send, and the tags that the client itself has. */
  reusable?: Reusable;
  known?: string;
  /** Says how it ended, while others may have waited for that. */
  ended?: Ended;
  /** What was read of the body before. */
  body?: Collected;
  timer?: NodeJS.Timeout;
  request?: ClientRequest;
  /** Says that the service works on it no more. */
  end?: End;
  /** Gives the connection to the service back. */
  leave?: () => void;
}

const FLIGHT = Symbol("flight");
type Flying = IncomingMessage & { [FLIGHT]?: Flight };

/** The flight of a request that `takeOff` was called with. */
export const flightOf = (req: IncomingMessage): Flight => (req as Flying)[FLIGHT]!;

/** Begins the flight of a request. */
export function takeOff(
  req: IncomingMessage,
  way: Pick<Flight, "limit" | "service" | "party" | "body">,
): Flight {
  const flight: Flight = { retried: false, over: false, ...way };
  (req as Flying)[FLIGHT] = flight;
  return flight;
}
