import { roleIn } from "@octavo/shared/contracts/callers";
import { found, refuse } from "@octavo/shared/errors";
import { withStoredRole } from "../access/stored-role.js";
import { type Action, allow, permits, roleFor } from "../permissions.js";
import * as queries from "../store/integrations.js";
import type { Ctx } from "../trpc.js";

type Owned = Pick<queries.Row, "organization" | "visibility">;

/**
 * Loads the integration of this name; a private one is known to the members of its organization alone. 404 to all
 * others, 403 to its guests.
 */
export async function loadVisible(ctx: Ctx, name: string): Promise<queries.Row> {
  const row = found(await queries.find(ctx, name), "Integration");
  if (ctx.caller.kind === "integration") return found(isOwn(ctx, row) ? row : undefined, "Integration");
  if (row.visibility === "private")
    allow(roleIn(ctx.caller, row.organization), "organization.listIntegrations", "Integration");
  return row;
}

/**
 * Loads an integration for who only looks at it: a public one is shown to other integrations too. Else it refuses like
 * `loadVisible`.
 */
export async function loadPublic(ctx: Ctx, name: string): Promise<queries.Row> {
  const row = found(await queries.find(ctx, name), "Integration");
  return ctx.caller.kind === "integration" && row.visibility === "public" ? row : loadVisible(ctx, name);
}

/** Loads the integration of this name for who may administer it; 403 to others who see it, 404 to all others. */
export async function loadAdministered(ctx: Ctx, name: string): Promise<queries.Row> {
  const row = await loadVisible(ctx, name);
  if (!administers(ctx, row)) {
    refuse(
      "FORBIDDEN",
      `Integration: needs the role ${roleFor("integration.admin")} in the organization that publishes it`,
    );
  }
  return row;
}

/**
 * Locks an integration until the end of the transaction, by the role that the caller has then, and refuses like
 * `loadAdministered`; undefined where there is none of this name.
 */
export async function lockAdministered(ctx: Ctx, name: string): Promise<queries.Row | undefined> {
  if (!(await queries.lock(ctx, name, "update"))) return undefined;
  const row = await queries.find(ctx, name);
  return row && loadAdministered(await withStoredRole(ctx, row.organization), name);
}

/** Holds the integration until the end of the transaction, so that it is not removed meanwhile; 404 when it was. */
export async function lockForUse(ctx: Ctx, { name }: { name: string }): Promise<void> {
  found(await queries.lock(ctx, name), "Integration");
}

/**
 * Of which organizations the caller may see what installations do: of all (undefined) as an administrator of the
 * integration, else of those where the caller may do this.
 */
export function organizationsFor(ctx: Ctx, row: Owned, action: Action): string[] | undefined {
  const { caller } = ctx;
  if (administers(ctx, row) || caller.kind === "service") return undefined;
  if (caller.kind === "integration")
    return caller.installation === undefined ? undefined : [caller.organization];
  if (caller.kind === "reader") return [];
  return Object.keys(caller.organizations).filter((id) => permits(roleIn(caller, id), action));
}

/** Whether the caller is the integration itself, with a token of its own or of an installation. */
export const isOwn = ({ caller }: Ctx, { name }: { name: string }): boolean =>
  caller.kind === "integration" && caller.integration === name;

/** Whether the caller administers an integration, by the role in the organization that publishes it. */
export const administers = (ctx: Ctx, { organization }: Pick<Owned, "organization">): boolean =>
  permits(roleIn(ctx.caller, organization), "integration.admin");

/** Whether the caller may publish in the name of some organization. */
export const administersAny = ({ caller }: Ctx): boolean =>
  caller.kind === "user" &&
  Object.keys(caller.organizations).some((id) => permits(roleIn(caller, id), "integration.admin"));

/** How the installations of an integration are configured. */
export async function accountOf(ctx: Ctx, id: string) {
  return (await queries.findById(ctx, id))?.configurations?.account;
}
