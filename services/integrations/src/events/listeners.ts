import {
  ContentUpdated,
  SpacePurged,
  SpaceTransferred,
  SpaceVisibilityChanged,
} from "@octavo/shared/contracts/events/content";
import { contentVisibility } from "@octavo/shared/contracts/schemas/space";
import { createListener } from "@octavo/shared/events/listen";
import { type EventBody, record } from "../event-queue/record.js";
import { inSpacesOf } from "../installations/runtime.js";
import type { Scope } from "../schemas/manifest.js";
import * as queries from "../store/events.js";
import type { Ctx } from "../trpc.js";

const on = createListener<Ctx>();

/** Tells the installations that work in all spaces of an organization, of integrations with the scope. */
async function announce(ctx: Ctx, organization: string, scope: Scope, said: EventBody) {
  for (const installation of await inSpacesOf(ctx, organization, scope))
    await record(ctx, installation, said);
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
  // An installation works in the spaces that its organization has when something happens; what it was still to be
  // told of a space that left is not its business any more.
  on(SpaceTransferred, ({ ctx, payload: { space, from } }) => queries.letGo(ctx, from, space)),
  on(SpacePurged, ({ ctx, payload: { space, organization } }) => queries.letGo(ctx, organization, space)),
];
