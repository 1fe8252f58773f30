import {
  ComputedAsked,
  ContentUpdated,
  GitSyncCompleted,
  GitSyncStarted,
  SpacePurged,
  SpaceTransferred,
  SpaceVisibilityChanged,
} from "@octavo/shared/contracts/events/content";
import { SiteDeleted, SiteKeyReplaced, SiteVisited } from "@octavo/shared/contracts/events/sites";
import { contentVisibility } from "@octavo/shared/contracts/schemas/space";
import { createListener } from "@octavo/shared/events/listen";
import type { z } from "zod";
import { computeSoon } from "../event-queue/compute-soon.js";
import { type EventBody, recordAll } from "../event-queue/record.js";
import { at } from "../installations/runtime.js";
import type { Scope } from "../schemas/manifest.js";
import * as queries from "../store/events.js";
import { hasInstallations } from "../store/installations.js";
import type { Ctx } from "../trpc.js";
import { removeFromContent } from "../uninstall/uninstall.js";
import { replaceSecret } from "../visitor-auth/offer.js";

const on = createListener<Ctx>();

/** Notifies the installations that work in a space, of integrations with the scope. */
async function announce(
  ctx: Ctx,
  organization: string,
  scope: Scope,
  body: Extract<EventBody, { spaceId: string }>,
) {
  const space = { kind: "space" as const, content: body.spaceId, organization };
  await recordAll(ctx, await at(ctx, space, scope), [body]);
}

type Visited = z.output<typeof SiteVisited.payload>;
type Visit = Visited["views"][number];

/** Notifies the installations that work on a site of what visitors saw, and what they thought of it, each by its scope. */
async function announceVisits(ctx: Ctx, { site: siteId, organization, views, feedback }: Visited) {
  const site = { kind: "site" as const, content: siteId, organization };
  const seeing = views.length > 0 ? await at(ctx, site, "site:views:read") : [];
  await recordAll(
    ctx,
    seeing,
    views.map(({ siteSpace: siteSpaceId, ...visit }) => ({
      type: "site_view" as const,
      siteId,
      siteSpaceId,
      ...visitOf(visit),
    })),
  );
  await announceSpaceViews(ctx, organization, views);
  const judging = feedback.length > 0 ? await at(ctx, site, "page:feedback:read") : [];
  await recordAll(
    ctx,
    judging,
    feedback.map(({ rating, comment, ...visit }) => ({
      type: "page_feedback" as const,
      siteId,
      feedback: { rating, comment },
      ...visitOf(visit),
    })),
  );
}

/** Notifies the installations that work in the spaces that were seen, by the scope that spaces have for it. */
async function announceSpaceViews(ctx: Ctx, organization: string, views: Visit[]) {
  for (const content of new Set(views.flatMap(({ space }) => space ?? []))) {
    const seeing = await at(ctx, { kind: "space", content, organization }, "space:views:read");
    const visits = views.filter(({ space }) => space === content);
    await recordAll(
      ctx,
      seeing,
      visits.map((visit) => ({ type: "space_view" as const, ...visitOf(visit), spaceId: content })),
    );
  }
}

/** Cookies of a site are its visitors' own, and are sent to no integration. */
const visitOf = ({ url, referrer, page: pageId, space: spaceId, visitor }: Omit<Visit, "siteSpace">) => ({
  url,
  referrer,
  pageId,
  spaceId,
  visitor: { ...visitor, cookies: {} },
});

/** Undelivered events of a space that left an organization are dropped; its installations end. */
async function leave(ctx: Ctx, organization: string, space: string) {
  await queries.letGo(ctx, organization, space);
  await removeFromContent(ctx, { kind: "space", content: space, organization });
}

export const listeners = [
  on(
    ContentUpdated,
    async ({ ctx, payload: { space: spaceId, organization, revision: revisionId } }) => {
      await announce(ctx, organization, "space:content:read", {
        type: "space_content_updated",
        spaceId,
        revisionId,
      });
      await computeSoon(ctx, { organization, space: spaceId });
    },
    { concerns: hasInstallations },
  ),
  on(ComputedAsked, ({ ctx, payload }) => computeSoon(ctx, payload)),
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
      type: "space_gitsync_started",
      spaceId,
      revisionId: revision,
      commitId: commit ?? "",
    }),
  ),
  on(GitSyncCompleted, ({ ctx, payload: { space: spaceId, organization, state, revision, commit } }) =>
    announce(ctx, organization, "space:content:read", {
      type: "space_gitsync_completed",
      spaceId,
      state,
      revisionId: revision,
      commitId: commit ?? "",
    }),
  ),
  on(SpaceTransferred, async ({ ctx, payload: { space, from, to } }) => {
    await leave(ctx, from, space);
    await computeSoon(ctx, { organization: to, space });
  }),
  on(SpacePurged, ({ ctx, payload: { space, organization } }) => leave(ctx, organization, space)),
  on(SiteVisited, ({ ctx, payload }) => announceVisits(ctx, payload), { concerns: hasInstallations }),
  on(SiteKeyReplaced, ({ ctx, payload }) => replaceSecret(ctx, payload)),
  on(SiteDeleted, ({ ctx, payload: { site, organization } }) =>
    removeFromContent(ctx, { kind: "site", content: site, organization }),
  ),
];
