import type { z } from "zod";
import type { EventType } from "../contracts/events/define.js";

/** What a handler gets about the event besides its payload. */
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
  handle(events: EventContext<Context, unknown>): Promise<void>;
  /** The same for many events at once, in any order. */
  handleMany?(events: EventBatch<Context, unknown>): Promise<void>;
  /** Whether `handleMany` has the same effect however often it gets an event: then it need not be kept until it is handled. */
  repeatable?: boolean;
  /** Returns for each payload, in order, whether its event has an effect in this service at present. */
  concerns?(ctx: Context, payloads: unknown[]): Promise<boolean[]>;
}

/** Many events of one name, handled in one transaction. */
export interface EventBatch<Context, Payload> {
  ctx: Context;
  events: Omit<EventContext<Context, Payload>, "ctx">[];
}

export interface ManyOptions {
  /**
   * That an event may be handled again, at any time later, to the same effect. These are handled as they come in, without
   * the inbox, which gets those that fail.
   */
  repeatable?: boolean;
}

export interface ListenOptions<Context, Payload> {
  /**
   * Names the part of the aggregate whose state the event carries: once a later event of this state was handled, an earlier
   * one has no effect. Without it each event has its effect, whenever it is handled.
   */
  state?: string;
  /**
   * Returns for each payload, in order, whether its event has an effect in this service at present. An event without an
   * effect for any of its listeners is passed over as it comes in, without the inbox: whoever receives an event has
   * subscribed before it happened.
   */
  concerns?: (ctx: Context, payloads: Payload[]) => Promise<boolean[]>;
}

/**
 * Declares what happens on an event. The handler's writes and the mark "handled" are one transaction, so its
 * effect happens exactly once; what it calls outside the database may happen again and has to bear that.
 */
export function on<Context, Payload extends z.ZodType>(
  event: EventType<Payload>,
  handler: (events: EventContext<Context, z.output<Payload>>) => Promise<unknown>,
  { state, concerns }: ListenOptions<Context, z.output<Payload>> = {},
): Subscription<Context> {
  const parse = (payload: unknown) => event.payload.parse(payload);
  return {
    event,
    state,
    ...(concerns && { concerns: (ctx, payloads) => concerns(ctx, payloads.map(parse)) }),
    handle: async (events) => {
      await handler({ ...events, payload: parse(events.payload) });
    },
  };
}

/**
 * `on` for events that count in any order, even those of one aggregate: what waits of them is handled by one call in one
 * transaction. When that fails, each is handled by a call of its own.
 */
export function onMany<Context, Payload extends z.ZodType>(
  event: EventType<Payload>,
  handler: (many: EventBatch<Context, z.output<Payload>>) => Promise<unknown>,
  { repeatable }: ManyOptions = {},
): Subscription<Context> {
  const handleMany = async ({ ctx, events }: EventBatch<Context, unknown>) => {
    const parsed = events.map((one) => ({ ...one, payload: event.payload.parse(one.payload) }));
    await handler({ ctx, events: parsed });
  };
  return { event, repeatable, handleMany, handle: ({ ctx, ...one }) => handleMany({ ctx, events: [one] }) };
}

/** `on` for a service's own context: `export const on = createListener<Ctx>()`. */
export const createListener =
  <Context>() =>
  <Payload extends z.ZodType>(
    event: EventType<Payload>,
    handler: (events: EventContext<Context, z.output<Payload>>) => Promise<unknown>,
    options?: ListenOptions<Context, z.output<Payload>>,
  ): Subscription<Context> =>
    on(event, handler, options);
