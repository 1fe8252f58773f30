import { AuditRecorded } from "@octavo/shared/events/catalogue/audit";
import { createListener } from "@octavo/shared/events/listen";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

const on = createListener<Ctx>();

/** What the other services wrote comes through their outboxes. */
export const listeners = [on(AuditRecorded, ({ ctx, payload }) => queries.keep(ctx, [payload]))];
