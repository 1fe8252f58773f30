import { z } from "zod";
import { createGuards } from "../access.js";
import type { BaseContext } from "../context.js";
import { type Caller, roleIn, type UserCaller } from "../contracts/callers.js";
import { ORGANIZATION_PERMISSIONS } from "../contracts/permissions.js";
import { atLeast, type Level } from "../contracts/roles.js";
import { type Space, space } from "../contracts/schemas/space.js";
import { createApi } from "../trpc.js";

type Ctx = BaseContext<never>;
type Roles = UserCaller["organizations"];

/** A space of the content service that stands in for the real one. */
export interface StandInSpace {
  id: string;
  organization: string;
  title?: string;
  /** What members below an administrator may do; their role in the organization when absent. */
  level?: Level;
  deleted?: boolean;
  /** Its current revision; its id when absent. */
  revision?: string;
}

const guards = createGuards({
  ...ORGANIZATION_PERMISSIONS,
  "space.view": "read",
  "space.access": "read",
  "space.comment": "comment",
  "space.edit": "edit",
  "space.review": "review",
  "space.merge": "review",
  "space.admin": "create",
  "space.viewInviteLinks": "create",
  "space.triggerGitSync": "create",
  "space.installIntegration": "create",
});

/**
 * What stand-ins for the content service have in common: spaces in memory, the caller's level on them, their look-up and
 * the caller's standing, by the roles that `rolesOf` says are stored now.
 */
export function standInSpaces<Kept extends StandInSpace>(rolesOf: (user: string) => Roles | undefined) {
  const kept = new Map<string, Kept>();
  const asked: string[][] = [];
  const { internal, shown } = createApi<Ctx>();
  const asStored = (caller: Caller): Caller =>
    caller.kind === "user"
      ? { ...caller, organizations: rolesOf(caller.id) ?? caller.organizations }
      : caller;
  const levelOf = ({ caller }: Ctx, { organization, level }: Kept): Level => {
    // What sites show is not kept here: a visitor sees all of the organization.
    if (caller.kind === "reader") return caller.organization === organization ? "read" : undefined;
    const role = roleIn(caller, organization);
    return role === undefined || role === "admin" || level === undefined ? role : level;
  };
  const view = (ctx: Ctx, row: Kept): Space => ({
    object: "space",
    id: row.id,
    title: row.title ?? "Guide",
    emoji: "",
    visibility: "private",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    urls: { location: ctx.urls.api`/spaces/${row.id}`, app: ctx.urls.app`/s/${row.id}` },
    organization: row.organization,
    revision: row.revision ?? row.id,
    defaultLevel: "inherit",
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions: guards.flagsOf(levelOf(ctx, row), "space"),
  });
  const isReadable = (ctx: Ctx, row: Kept) => !row.deleted && atLeast(levelOf(ctx, row), "read");
  const lookup = shown({})
    .meta({ reader: true, scope: "space:metadata:read" })
    .input(z.object({ ids: z.array(z.string()).max(1000) }))
    .output(z.array(space))
    .query(({ ctx, input: { ids } }) => {
      asked.push(ids);
      const rows = ids.flatMap((id) => kept.get(id) ?? []);
      return rows.filter((row) => isReadable(ctx, row)).map((row) => view(ctx, row));
    });
  const standing = internal({})
    .input(z.object({ organizationId: z.string(), spaces: z.array(z.string()).max(1000) }))
    .query(({ ctx, input: { organizationId, spaces } }) => {
      const now = { ...ctx, caller: asStored(ctx.caller) };
      guards.allowIn(now, organizationId, "organization.view");
      const undecided = spaces
        .flatMap((id) => kept.get(id) ?? [])
        .filter(({ organization }) => organization === organizationId)
        .filter((row) => !atLeast(levelOf(now, row), "create"))
        .map((row) => ({ id: row.id, readable: isReadable(now, row) }));
      return { role: roleIn(now.caller, organizationId) ?? null, undecided };
    });
  return {
    kept,
    /** The ids of each look-up so far. */
    asked,
    allowIn: guards.allowIn,
    view,
    isReadable,
    lookup,
    standing,
  };
}
