import type { z } from "zod";
import type { EventType } from "../contracts/events/define.js";

/** What a handler is told about the event besides its payload. */
export interface EventMeta {
  id: string;
  name: string;
  aggregate: string;
  occurredAt: string;
  /** The service that signed it; absent for an event that came in before events were signed. */
  publisher?: string;
}

export interface EventContext<Context, Payload> {
  /** The service's own context; its `db` is the transaction that also marks the event as handled. */
  ctx: Context;
  payload: Payload;
  event: EventMeta;
}

/** That a service wants to know of an event, and what it does then. */
export interface Subscription<Context> {
  event: EventType;
  state?: string;
  handle(heard: EventContext<Context, unknown>): Promise<void>;
}

export interface ListenOptions {
  /**
   * Names what of the aggregate the event tells the state of: once a later event of this state was handled, an earlier
   * one has no effect. Without it each event has its effect, whenever it is handled.
   */
  state?: string;
}

/**
 * Declares what happens on an event. The handler's writes and the mark "handled" are one transaction, so its
 * effect happens exactly once; what it calls outside the database may happen again and has to bear that.
 */
export function on<Context, Payload extends z.ZodType>(
  event: EventType<Payload>,
  handler: (heard: EventContext<Context, z.output<Payload>>) => Promise<unknown>,
  { state }: ListenOptions = {},
): Subscription<Context> {
  return {
    event,
    state,
    handle: async (heard) => {
      await handler({ ...heard, payload: event.payload.parse(heard.payload) });
    },
  };
}

/** `on` for a service's own context: `export const on = createListener<Ctx>()`. */
export const createListener =
  <Context>() =>
  <Payload extends z.ZodType>(
    event: EventType<Payload>,
    handler: (heard: EventContext<Context, z.output<Payload>>) => Promise<unknown>,
    options?: ListenOptions,
  ): Subscription<Context> =>
    on(event, handler, options);
