import { id, timestamp } from "@octavo/shared/contracts/fields";
import { contentVisibility as visibility } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { installationStatus } from "./installation-status.js";

const values = z.record(z.string(), z.unknown());
const base = { eventId: z.string(), installationId: z.string() };

/** What an installation is told; every kind of event that this service creates. */
export const PlatformEvent = z
  .discriminatedUnion("type", [
    z.object({
      ...base,
      type: z.literal("installation_setup"),
      status: installationStatus,
      /** Absent the first time. */
      previous: z.object({ status: installationStatus, configuration: values.optional() }).optional(),
    }),
    z.object({
      ...base,
      type: z.literal("installation_deleted"),
      previous: z.object({ configuration: values.optional() }),
    }),
    z.object({ ...base, type: z.literal("space_content_updated"), spaceId: id, revisionId: id }),
    z.object({
      ...base,
      type: z.literal("space_visibility_updated"),
      spaceId: id,
      previousVisibility: visibility,
      visibility,
    }),
  ])
  .meta({ id: "Event" });
export type PlatformEvent = z.output<typeof PlatformEvent>;

export const TraceLog = z
  .object({ level: z.enum(["debug", "info", "warn", "error"]), message: z.string(), timestamp })
  .meta({ id: "IntegrationEventLog" });
export type TraceLog = z.output<typeof TraceLog>;
