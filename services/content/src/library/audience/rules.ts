// The audience of a space is who sees it on sites. Whoever administers the space decides it.

import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, roleIn } from "@octavo/shared/contracts/callers";
import { found, refuse } from "@octavo/shared/errors";
import { levelOn, memberOf } from "../../access/level.js";
import * as spaces from "../../access/spaces.js";
import { allowIn, permits } from "../../permissions.js";
import type { Call, Ctx } from "../../trpc.js";
import { digestOfSite, isHandled } from "./queries.js";
import type { Hears, Standing } from "./schema.js";

/**
 * The caller's role in the organization, and which of its spaces the caller may not show to anybody: by the membership
 * as orgs has it now, since the identity may be older than a removal. 404 for who is no member. Spaces of other
 * organizations, and those that are gone, are nobody's to decide and left out.
 */
export async function standing({ ctx, input }: Call<typeof Standing>) {
  const { organizationId: organization } = input;
  allowIn(ctx, organization, "organization.view");
  const caller = await storedCaller(ctx, organization);
  const rows = input.spaces.length === 0 ? [] : await spaces.findAllAny({ ...ctx, caller }, input.spaces);
  const undecided = rows
    .filter((row) => row.organization === organization)
    .map((row) => ({ id: row.id, live: row.deleted_at === null, level: levelOn(caller, row) }))
    .filter(({ level }) => !permits(level, "space.admin"))
    .map(({ id, live, level }) => ({ id, readable: live && permits(level, "space.access") }));
  return { role: roleIn(caller, organization) ?? null, undecided };
}

const HEARD_MS = 25;
const HEARD_TRIES = 80;

/**
 * Waits until an event has had its effect here, for two seconds at most; returns whether it had. Sites asks before it
 * says that a site is published: whoever reads then finds it so.
 */
export async function hears({ ctx, input }: Call<typeof Hears>): Promise<boolean> {
  for (let tried = 0; tried < HEARD_TRIES && !ctx.signal?.aborted; tried += 1) {
    if (await isHandled(ctx, input.event)) return true;
    await sleep(HEARD_MS);
  }
  return isHandled(ctx, input.event);
}

/**
 * Returns a digest of all on which it depends what `spaces.lookup` returns to visitors of the caller's site: as long as
 * it is the same, so is that. 403 for all who are no visitors.
 */
export async function digest({ ctx }: { ctx: Ctx }): Promise<string> {
  const { caller } = ctx;
  if (caller.kind !== "reader") refuse("FORBIDDEN", "Caller: is no visitor of a site");
  return digestOfSite(ctx, caller.site);
}

async function storedCaller(ctx: Ctx, organization: string): Promise<Caller> {
  const { caller } = ctx;
  if (caller.kind !== "user") return caller;
  const [member] = await ctx.orgs.memberships(ctx, organization, { users: [caller.id] });
  return memberOf(organization, found(member, "Organization"));
}
