import { z } from "zod";
import { defineEvent } from "./define.js";

// The aggregate is the space unless stated otherwise.

const id = z.string();
const space = z.object({ space: id, organization: id });

export const SpaceCreated = defineEvent("content.space.created", space);
/** `from` and `to` are organizations. */
export const SpaceTransferred = defineEvent(
  "content.space.transferred",
  z.object({ space: id, from: id, to: id }),
);
/** Moved to the trash; it can come back by a restore until it is purged. */
export const SpaceDeleted = defineEvent("content.space.deleted", space);
export const SpaceRestored = defineEvent("content.space.restored", space);
export const SpacePurged = defineEvent("content.space.purged", space);
export const SpaceVisibilityChanged = defineEvent(
  "content.space.visibilityChanged",
  space.extend({ visibility: z.string(), previous: z.string().optional() }),
);
/** Aggregate: the collection. Each space in it has an event of its own besides. */
export const CollectionTransferred = defineEvent(
  "content.collection.transferred",
  z.object({ collection: id, spaces: z.array(id).optional(), from: id, to: id }),
);
/** The primary content has a new revision; `changeRequest` is the one whose merge made it. */
export const ContentUpdated = defineEvent(
  "content.content.updated",
  space.extend({ revision: id, changeRequest: id.optional() }),
);
/** Somebody asked for what integrations compute, without a page that declares it. */
export const ComputedAsked = defineEvent("content.computed.asked", space);
/**
 * Aggregate: the subject. On how many spaces of the organization the user or team holds a grant of its own now; what
 * lies in the trash does not count. Of two counts the one with the higher `version` is the later.
 */
export const GrantsCounted = defineEvent(
  "content.grants.counted",
  z.object({
    organization: id,
    subject: z.object({ type: z.enum(["user", "team"]), id }),
    spaces: z.number().int(),
    version: z.number().int(),
  }),
);
const gitSync = space.extend({ revision: id.optional(), commit: z.string().optional() });

export const GitSyncStarted = defineEvent("content.gitsync.started", gitSync);
export const GitSyncCompleted = defineEvent(
  "content.gitsync.completed",
  gitSync.extend({ state: z.enum(["success", "failure"]) }),
);
