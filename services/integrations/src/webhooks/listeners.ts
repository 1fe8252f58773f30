import {
  ContentUpdated,
  GitSyncCompleted,
  GitSyncStarted,
  SpaceCreated,
  SpaceDeleted,
  SpaceRestored,
  SpaceTransferred,
  SpaceVisibilityChanged,
} from "@octavo/shared/contracts/events/content";
import { SiteDeleted, SitePublished, SiteUnpublished } from "@octavo/shared/contracts/events/sites";
import { createListener } from "@octavo/shared/events/listen";
import { hasWebhooks } from "../store/webhooks.js";
import type { Ctx } from "../trpc.js";
import { announce } from "./queue.js";

const on = createListener<Ctx>();

/** The events of webhooks, as the other services emit them. */
export const webhookListeners = [
  on(SpaceCreated, ({ ctx, payload: { organization, ...data } }) =>
    announce(ctx, organization, "space.created", data),
  ),
  on(SpaceDeleted, ({ ctx, payload: { organization, ...data } }) =>
    announce(ctx, organization, "space.deleted", data),
  ),
  on(SpaceRestored, ({ ctx, payload: { organization, ...data } }) =>
    announce(ctx, organization, "space.restored", data),
  ),
  // Each organization is notified of its own side alone.
  on(SpaceTransferred, async ({ ctx, payload: { space, from, to } }) => {
    await announce(ctx, from, "space.transferred", { space, direction: "out" });
    await announce(ctx, to, "space.transferred", { space, direction: "in" });
  }),
  on(
    ContentUpdated,
    ({ ctx, payload: { organization, ...data } }) =>
      announce(ctx, organization, "space.content.updated", data),
    { concerns: hasWebhooks },
  ),
  on(SpaceVisibilityChanged, ({ ctx, payload: { organization, ...data } }) =>
    announce(ctx, organization, "space.visibility.updated", data),
  ),
  on(GitSyncStarted, ({ ctx, payload: { organization, ...data } }) =>
    announce(ctx, organization, "space.gitsync.started", data),
  ),
  on(GitSyncCompleted, ({ ctx, payload: { organization, ...data } }) =>
    announce(ctx, organization, "space.gitsync.completed", data),
  ),
  on(SitePublished, ({ ctx, payload: { organization, site, visibility } }) =>
    announce(ctx, organization, "site.published", { site, visibility }),
  ),
  on(SiteUnpublished, ({ ctx, payload: { organization, site } }) =>
    announce(ctx, organization, "site.unpublished", { site }),
  ),
  on(SiteDeleted, ({ ctx, payload: { organization, site } }) =>
    announce(ctx, organization, "site.deleted", { site }),
  ),
];
