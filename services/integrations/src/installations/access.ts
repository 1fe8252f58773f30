import { roleIn } from "@octavo/shared/contracts/callers";
import type { Level } from "@octavo/shared/contracts/roles";
import { administers, isOwn } from "../integrations/access.js";
import { permits, roleFor } from "../permissions.js";
import type { Named } from "../store/installations.js";
import type { Ctx } from "../trpc.js";

/**
 * The role in the organization that installed it; who administers the integration may read at least, and so may the
 * integration itself.
 */
export function levelOn(ctx: Ctx, { id, name, organization, owner }: Named): Level {
  const { caller } = ctx;
  if (caller.kind === "integration") {
    const reached = caller.installation === undefined || caller.installation === id;
    return isOwn(ctx, { name }) && reached ? "read" : undefined;
  }
  const level = roleIn(ctx.caller, organization);
  return !permits(level, "installation.view") && administers(ctx, { organization: owner }) ? "read" : level;
}

/** The role of who configures an installation, which the integration itself may do as well. */
export function levelToConfigure(ctx: Ctx, row: Named): Level {
  const level = levelOn(ctx, row);
  return ctx.caller.kind === "integration" && level ? roleFor("installation.admin") : level;
}
