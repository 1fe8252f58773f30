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
/** Who visits a site, as its renderer saw them. */
const visitor = z.object({
  anonymousId: z.string(),
  cookies: z.record(z.string(), z.string()),
  userAgent: z.string(),
  ip: z.string(),
  language: z.string().optional(),
});
const seen = { visitor, url: z.string(), referrer: z.string(), pageId: z.string().optional() };
const visit = { ...seen, spaceId: z.string().optional() };
/** Of what an integration is asked something: of nothing but itself, of an installation, or of one on a space or site. */
const anyLevel = {
  eventId: z.string(),
  installationId: z.string().optional(),
  spaceId: z.string().optional(),
  siteId: z.string().optional(),
};
const auth = z.object({ userId: z.string() }).optional();
const compute = { sourceId: z.string(), props: values, dependencies: z.record(z.string(), z.unknown()) };

/** What an installation receives; every kind of event that this service creates. */
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
    // The revision that a sync begins from, or comes to; a release before did not always name it.
    z.object({ ...onSpace, type: z.literal("space_gitsync_started"), ...synced }),
    z.object({
      ...onSpace,
      type: z.literal("space_gitsync_completed"),
      state: z.enum(["success", "failure"]),
      ...synced,
    }),
    z.object({ ...onSite, type: z.literal("site_view"), ...visit, siteSpaceId: z.string().optional() }),
    z.object({ ...onSpace, type: z.literal("space_view"), ...seen }),
    z.object({
      ...onSite,
      type: z.literal("page_feedback"),
      ...visit,
      feedback: z.object({ rating: z.enum(["bad", "ok", "good"]), comment: z.string().optional() }),
    }),
    /** What the integration scheduled for later; of no installation. */
    z.object({ eventId: z.string(), type: z.literal("task"), task: values }),
    // What somebody waits for the response to.
    z.object({
      ...anyLevel,
      type: z.literal("fetch"),
      auth,
      request: z.object({
        method: z.enum(["get", "post", "put", "delete"]),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
      }),
    }),
    z.object({ ...anyLevel, type: z.literal("fetch_published_script") }),
    z.object({
      ...onSite,
      type: z.literal("fetch_visitor_authentication"),
      /** The path below the site that the visitor asked for. */
      location: z.string().optional(),
    }),
    z.object({
      ...anyLevel,
      type: z.literal("ui_render"),
      auth,
      componentId: z.string(),
      props: values,
      state: values.optional(),
      context: z.looseObject({ type: z.string() }),
      action: z.looseObject({ action: z.string() }).optional(),
    }),
    z.object({ ...onSpace, type: z.literal("content_compute_revision"), ...compute }),
    z.object({ ...onSpace, type: z.literal("content_compute_document"), ...compute }),
  ])
  .meta({ id: "Event" });
export type PlatformEvent = z.output<typeof PlatformEvent>;

export const TraceLog = z
  .object({ level: z.enum(["debug", "info", "warn", "error"]), message: z.string(), timestamp })
  .meta({ id: "IntegrationEventLog" });
export type TraceLog = z.output<typeof TraceLog>;
