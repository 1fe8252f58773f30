import { createGuards } from "@octavo/shared/access";
import { ORGANIZATION_PERMISSIONS, type Permissions } from "@octavo/shared/contracts/permissions";

/**
 * What each action takes: guards and the flags in `permissions` of responses are read from here, and operations name
 * theirs in the router. The role is the one on the thing (`access/level.ts`), for `organization` the member's.
 */
export const PERMISSIONS = {
  ...ORGANIZATION_PERMISSIONS,
  /** Everybody may while the space is public. */
  "space.view": "read",
  "space.access": "read",
  "space.comment": "comment",
  "space.edit": "edit",
  "space.merge": "review",
  "space.review": "review",
  "space.admin": "create",
  "space.viewInviteLinks": "create",
  "space.triggerGitSync": "create",
  "collection.view": "read",
  "collection.admin": "create",
  "collection.viewInviteLinks": "create",
  "collection.create": "create",
  "openAPISpec.view": "read",
  "openAPISpec.edit": "create",
  /** A file for the organization, which a font names. */
  "storage.upload": "create",
  "translation.view": "admin",
  "translation.edit": "admin",
  "comment.view": "read",
  /** By its author alone. */
  "comment.edit": "comment",
  "comment.reply": "comment",
  /** An author who may still comment deletes their own. */
  "comment.delete": "create",
} as const satisfies Permissions;

export type Action = keyof typeof PERMISSIONS;
type ActionOn<Thing extends string> = Extract<Action, `${Thing}.${string}`>;
export type SpaceAction = ActionOn<"space">;
/** What is guarded by the level on a space. */
export type ContentAction = SpaceAction | ActionOn<"comment">;
export type CollectionAction = ActionOn<"collection">;

/**
 * Flags that guard nothing here: `installIntegration` is the right to install an integration on one space, which the
 * integrations service asks for by `standing`.
 */
export const PLANNED_SPACE_PERMISSIONS = {
  "space.installIntegration": "create",
} as const satisfies Permissions;

export const { allow, allowIn, permits, roleFor, flagsOf } = createGuards(PERMISSIONS);
export const plannedFlagsOf = createGuards(PLANNED_SPACE_PERMISSIONS).flagsOf;
