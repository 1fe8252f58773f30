import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { defineEvent } from "../contracts/events/define.js";
import { on, type Subscription } from "./listen.js";
import { PUBLISHERS } from "./subject.js";

/** `<service>.events.missed`: events expired before the service could read them. Aggregate: the service. */
export const eventsMissed = (service: string) => defineEvent(`${service}.events.missed`, z.object({}));

/**
 * Has a service publish its retained events again when another one missed some: no other service has them. Who has
 * handled an event already passes it over.
 */
export const resendMissed = (service: string): Subscription<{ db: Kysely<never> }>[] =>
  PUBLISHERS.filter((other) => other !== service).map((other) =>
    on(eventsMissed(other), ({ ctx, event }) =>
      sql`update outbox set published_at = null
        where published_at < ${event.occurredAt}::timestamptz`.execute(ctx.db),
    ),
  );
