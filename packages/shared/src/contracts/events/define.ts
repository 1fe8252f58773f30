import { z } from "zod";

/** A kind of event: its name and the shape of its payload, the contract between its source and who listens. */
export interface EventType<Payload extends z.ZodType = z.ZodType> {
  /** `<source service>.<thing>.<what happened>`, such as `content.space.transferred`. */
  name: string;
  /** Raised when the meaning of a field changes; a new optional field needs none. */
  version: number;
  payload: Payload;
}

/** Declares an event. Fields that a reader does not know are ignored, so a contract grows by optional fields. */
export function defineEvent<Payload extends z.ZodType>(
  name: string,
  payload: Payload,
  { version = 1 }: { version?: number } = {},
): EventType<Payload> {
  if (!/^[a-z]+(\.[a-zA-Z]+){2,}$/.test(name)) throw new Error(`not a name of an event: ${name}`);
  return { name, version, payload };
}

/** What travels: one event, with the trace of the request that caused it. */
export const Envelope = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number(),
  /** The id of the thing it happened to; events of one aggregate keep their order. */
  aggregate: z.string(),
  occurredAt: z.string(),
  /** Microseconds; of two events of one aggregate the later one has the higher number. */
  order: z.number().optional(),
  requestId: z.string().optional(),
  traceparent: z.string().optional(),
  payload: z.unknown(),
});
export type Envelope = z.output<typeof Envelope>;
