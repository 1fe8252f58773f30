import { describe, refuseAll } from "@octavo/shared/errors";
import type { Standing } from "../content/content.js";
import { type Action, refuseBelow } from "../permissions.js";
import * as siteSpaces from "../store/site-spaces.js";
import type { Row } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

// Sites keeps no members. Whoever changes a site holds its lock and asks what the caller may do now: the identity may
// be older than a removal that the lock has just let through.

/** How many spaces a refusal names; the others are counted. */
const NAMED = 20;

/**
 * Guards by the role in the organization as it is stored: 403 for one that does not reach. While content is away the
 * identity, which was looked at before, is all there is: a site must be taken offline even then.
 */
export async function requireStoredRole(ctx: Ctx, organization: string, action: Action): Promise<void> {
  try {
    allowStanding(await ctx.content.standing(ctx, organization, []), action);
  } catch (error) {
    if (describe(error).code !== "SERVICE_UNAVAILABLE") throw error;
    ctx.log.warn({ err: error, organization }, "a role was not asked for again: content is away");
  }
}

/**
 * Guards what shows the spaces of a site to more people: 403 without the right to decide that about each of them, those
 * in the trash included, which come back to the site. Spaces that the caller may not read are counted, not named.
 */
export async function requireDecision(ctx: Ctx, { id, organization }: Row, action: Action): Promise<void> {
  const rows = await siteSpaces.every(ctx, id);
  const spaces = rows.map(({ space }) => space);
  const standing = await ctx.content.standing(ctx, organization, spaces);
  allowStanding(standing, action);
  const readable = new Set(standing.undecided.filter((one) => one.readable).map((one) => one.id));
  const listed = rows.filter(({ space }) => readable.has(space)).slice(0, NAMED);
  const others = standing.undecided.length - listed.length;
  const issues = listed.map((row) => ({
    path: `siteSpaces.${row.id}`,
    message: `needs the role create on the space ${row.space}`,
  }));
  const spacesOf = (count: number) => (count === 1 ? "space needs" : "spaces need");
  const counted = `${others} ${listed.length > 0 ? "more " : ""}${spacesOf(others)} the role create`;
  const rest = { path: "siteSpaces", message: counted };
  refuseAll(others > 0 ? [...issues, rest] : issues, {
    code: "FORBIDDEN",
    reason: "spaces_not_yours_to_show",
  });
}

/** 403 for a role that does not reach. */
export function allowStanding({ role }: Pick<Standing, "role">, action: Action): void {
  refuseBelow(role, action, "Organization");
}
