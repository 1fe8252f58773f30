import {
  ContentUpdated,
  GitSyncCompleted,
  GitSyncStarted,
  SpacePurged,
  SpaceTransferred,
  SpaceVisibilityChanged,
} from "@octavo/shared/contracts/events/content";
import { SiteDeleted } from "@octavo/shared/contracts/events/sites";
import { contentVisibility } from "@octavo/shared/contracts/schemas/space";
import { createListener } from "@octavo/shared/events/listen";
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

/** What was still to be told of a space that an organization has no more is not its business; its installations end. */
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
  on(SiteDeleted, ({ ctx, payload: { site, organization } }) =>
    removeFromContent(ctx, { kind: "site", content: site, organization }),
  ),
];
