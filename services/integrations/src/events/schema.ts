import { id, paging, segment, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { PlatformEvent, TraceLog } from "../schemas/event.js";

export const IntegrationEvent = z
  .object({
    id,
    integrationId: z.string(),
    installationId: z.string().optional(),
    createdAt: timestamp,
    payload: PlatformEvent,
    status: z.enum(["success", "failed"]),
  })
  .meta({ id: "IntegrationEvent" });
export type IntegrationEvent = z.output<typeof IntegrationEvent>;

export const Traced = z
  .object({
    event: IntegrationEvent,
    trace: z.object({ logs: z.array(TraceLog) }).optional(),
  })
  .meta({ id: "TracedIntegrationEvent" });

export const List = z.object({ integrationName: segment, ...paging });
export const One = z.object({ integrationName: segment, eventId: id });
