import { id, timestamp } from "@octavo/shared/contracts/fields";
import { contentVisibility as visibility } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { installationStatus } from "./installation-status.js";

const values = z.record(z.string(), z.unknown());
const base = { eventId: z.string(), installationId: z.string() };
const onSpace = { ...base, spaceId: id };
const onSite = { ...base, siteId: id };
const setup = {
  status: installationStatus,
  /** Absent the first time. */
  previous: z.object({ status: installationStatus, configuration: values.optional() }).optional(),
};
const synced = { revisionId: id.optional(), commitId: z.string().optional() };
const deleted = { previous: z.object({ configuration: values.optional() }) };

/** What an installation is told; every kind of event that this service creates. */
export const PlatformEvent = z
  .discriminatedUnion("type", [
    z.object({ ...base, type: z.literal("installation_setup"), ...setup }),
    z.object({ ...base, type: z.literal("installation_deleted"), ...deleted }),
    z.object({ ...onSpace, type: z.literal("space_installation_setup"), ...setup }),
    z.object({ ...onSpace, type: z.literal("space_installation_deleted"), ...deleted }),
    z.object({ ...onSite, type: z.literal("site_installation_setup"), ...setup }),
    z.object({ ...onSite, type: z.literal("site_installation_deleted"), ...deleted }),
    z.object({ ...onSpace, type: z.literal("space_content_updated"), revisionId: id }),
    z.object({
      ...onSpace,
      type: z.literal("space_visibility_updated"),
      previousVisibility: visibility,
      visibility,
    }),
    // What a sync begins from, or fails at, is not always known.
    z.object({ ...onSpace, type: z.literal("space_gitsync_started"), ...synced }),
    z.object({
      ...onSpace,
      type: z.literal("space_gitsync_completed"),
      state: z.enum(["success", "failure"]),
      ...synced,
    }),
    /** What the integration asked to be told later; of no installation. */
    z.object({ eventId: z.string(), type: z.literal("task"), task: values }),
  ])
  .meta({ id: "Event" });
export type PlatformEvent = z.output<typeof PlatformEvent>;

export const TraceLog = z
  .object({ level: z.enum(["debug", "info", "warn", "error"]), message: z.string(), timestamp })
  .meta({ id: "IntegrationEventLog" });
export type TraceLog = z.output<typeof TraceLog>;
