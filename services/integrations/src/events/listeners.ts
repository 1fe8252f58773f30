import {
  ContentUpdated,
  GitSyncCompleted,
  GitSyncStarted,
  SpacePurged,
  SpaceTransferred,
  SpaceVisibilityChanged,
} from "@octavo/shared/contracts/events/content";
import { SiteDeleted, SiteVisited } from "@octavo/shared/contracts/events/sites";
import { contentVisibility } from "@octavo/shared/contracts/schemas/space";
import { createListener } from "@octavo/shared/events/listen";
import type { z } from "zod";
import { type EventBody, record } from "../event-queue/record.js";
import { at } from "../installations/runtime.js";
import type { Scope } from "../schemas/manifest.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { removeFromContent } from "../uninstall/uninstall.js";

const on = createListener<Ctx>();

/** Tells the installations that work in a space, of integrations with the scope. */
async function announce(
  ctx: Ctx,
  organization: string,
  scope: Scope,
  body: Extract<EventBody, { spaceId: string }>,
) {
  const space = { kind: "space" as const, content: body.spaceId, organization };
  for (const installation of await at(ctx, space, scope)) await record(ctx, installation, body);
}

type Visited = z.output<typeof SiteVisited.payload>;
type Visit = Visited["views"][number];

/** Tells the installations that work on a site what visitors saw, and what they thought of it, each by its scope. */
async function announceVisits(ctx: Ctx, { site: siteId, organization, views, feedback }: Visited) {
  const site = { kind: "site" as const, content: siteId, organization };
  const seeing = views.length > 0 ? await at(ctx, site, "site:views:read") : [];
  for (const installation of seeing)
    for (const { siteSpace: siteSpaceId, ...visit } of views)
      await record(ctx, installation, { type: "site_view", siteId, siteSpaceId, ...visitOf(visit) });
  const judging = feedback.length > 0 ? await at(ctx, site, "page:feedback:read") : [];
  for (const installation of judging)
    for (const { rating, comment, ...visit } of feedback)
      await record(ctx, installation, {
        ...{ type: "page_feedback", siteId, feedback: { rating, comment }, ...visitOf(visit) },
      });
}

/** Cookies of a site are its visitors' own, and are sent to no integration. */
const visitOf = ({ url, referrer, page: pageId, space: spaceId, visitor }: Omit<Visit, "siteSpace">) => ({
  ...{ url, referrer, pageId, spaceId },
  visitor: { ...visitor, cookies: {} },
});

/** Undelivered events of a space that left an organization are dropped; its installations end. */
async function leave(ctx: Ctx, organization: string, space: string) {
  await queries.letGo(ctx, organization, space);
  await removeFromContent(ctx, { kind: "space", content: space, organization });
}

export const listeners = [
  on(ContentUpdated, ({ ctx, payload: { space: spaceId, organization, revision: revisionId } }) =>
    announce(ctx, organization, "space:content:read", { type: "space_content_updated", spaceId, revisionId }),
  ),
  on(SpaceVisibilityChanged, ({ ctx, payload: { space: spaceId, organization, visibility, previous } }) =>
    announce(ctx, organization, "space:metadata:read", {
      type: "space_visibility_updated",
      spaceId,
      previousVisibility: contentVisibility.parse(previous ?? "private"),
      visibility: contentVisibility.parse(visibility),
    }),
  ),
  on(GitSyncStarted, ({ ctx, payload: { space: spaceId, organization, revision, commit } }) =>
    announce(ctx, organization, "space:content:read", {
      ...{ type: "space_gitsync_started", spaceId, revisionId: revision, commitId: commit },
    }),
  ),
  on(GitSyncCompleted, ({ ctx, payload: { space: spaceId, organization, state, revision, commit } }) =>
    announce(ctx, organization, "space:content:read", {
      ...{ type: "space_gitsync_completed", spaceId, state, revisionId: revision, commitId: commit },
    }),
  ),
  on(SpaceTransferred, ({ ctx, payload: { space, from } }) => leave(ctx, from, space)),
  on(SpacePurged, ({ ctx, payload: { space, organization } }) => leave(ctx, organization, space)),
  on(SiteVisited, ({ ctx, payload }) => announceVisits(ctx, payload)),
  on(SiteDeleted, ({ ctx, payload: { site, organization } }) =>
    removeFromContent(ctx, { kind: "site", content: site, organization }),
  ),
];
