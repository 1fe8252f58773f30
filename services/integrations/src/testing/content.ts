import type { ContentRouter } from "@octavo/content/client";
import { createGuards } from "@octavo/shared/access";
import type { BaseContext } from "@octavo/shared/context";
import { type Caller, roleIn } from "@octavo/shared/contracts/callers";
import { ORGANIZATION_PERMISSIONS } from "@octavo/shared/contracts/permissions";
import { atLeast, type Level } from "@octavo/shared/contracts/roles";
import { type Space, space } from "@octavo/shared/contracts/schemas/space";
import { newId } from "@octavo/shared/ids";
import { serveRouter } from "@octavo/shared/testing/service";
import { standInFor } from "@octavo/shared/testing/stand-in";
import { createApi } from "@octavo/shared/trpc";
import { z } from "zod";
import { around, type Roles } from "./identities.js";

type Ctx = BaseContext<never>;

interface Kept {
  id: string;
  organization: string;
  /** What members below an administrator may do; their role in the organization when absent. */
  level?: Level;
}

const { allowIn, flagsOf } = createGuards({
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

/** Stands in for content over HTTP: spaces in memory, identities verified as everywhere, roles as they are stored. */
export async function startContent({ rolesOf }: { rolesOf: (user: string) => Roles | undefined }) {
  const kept = new Map<string, Kept>();
  const asked: string[][] = [];
  const { router, internal } = createApi<Ctx>();
  const levelOf = ({ caller }: Ctx, { organization, level }: Kept): Level => {
    const role = roleIn(caller, organization);
    return role === undefined || role === "admin" || level === undefined ? role : level;
  };
  const asStored = (caller: Caller): Caller =>
    caller.kind === "user"
      ? { ...caller, organizations: rolesOf(caller.id) ?? caller.organizations }
      : caller;
  const view = (ctx: Ctx, row: Kept): Space => ({
    object: "space",
    id: row.id,
    title: "Guide",
    emoji: "",
    visibility: "private",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    urls: { location: ctx.urls.api`/spaces/${row.id}`, app: ctx.urls.app`/s/${row.id}` },
    organization: row.organization,
    revision: newId(),
    defaultLevel: "inherit",
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions: flagsOf(levelOf(ctx, row), "space"),
  });
  const lookup = internal({})
    .meta({ scope: "space:metadata:read" })
    .input(z.object({ ids: z.array(z.string()).max(1000) }))
    .output(z.array(space))
    .query(({ ctx, input: { ids } }) => {
      asked.push(ids);
      const rows = ids.flatMap((id) => kept.get(id) ?? []);
      return rows.filter((row) => atLeast(levelOf(ctx, row), "read")).map((row) => view(ctx, row));
    });
  const standing = internal({})
    .input(z.object({ organizationId: z.string(), spaces: z.array(z.string()).max(1000) }))
    .query(({ ctx: asked, input: { organizationId, spaces } }) => {
      const ctx = { ...asked, caller: asStored(asked.caller) };
      allowIn(ctx, organizationId, "organization.view");
      const undecided = spaces
        .flatMap((id) => kept.get(id) ?? [])
        .map((row) => ({ row, level: levelOf(ctx, row) }))
        .filter(({ level }) => !atLeast(level, "create"))
        .map(({ row, level }) => ({ id: row.id, readable: atLeast(level, "read") }));
      return { role: roleIn(ctx.caller, organizationId) ?? null, undecided };
    });
  const api = standInFor<ContentRouter>()(
    router({ spaces: router({ lookup }), audience: router({ standing }) }),
  );
  const { log, urls, verifier } = around;
  const base = { urls, log, clock: () => new Date() };
  const server = await serveRouter({ name: "content", router: api, verifier, base, log });
  return {
    url: server.url,
    /** The ids of each look-up so far. */
    asked,
    /** A new space; returns its id. */
    space: (organization: string, level?: Level): string => {
      const id = newId();
      kept.set(id, { id, organization, level });
      return id;
    },
    end: server.close,
  };
}
