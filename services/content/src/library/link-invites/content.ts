// What links lead to.

import { coversScopes } from "@octavo/shared/contracts/scopes";
import { refuse } from "@octavo/shared/errors";
import * as collections from "../../access/collections.js";
import * as spaces from "../../access/spaces.js";
import type { KeptLink, LinkTarget } from "../../orgs/orgs.js";
import type { Ctx } from "../../trpc.js";
import { view as collectionView } from "../collections/view.js";
import { view as spaceView } from "../spaces/view.js";
import type { Content } from "./view.js";

/** The names of what links lead to, for messages. */
export const NAMES = { space: "Space", collection: "Collection" };

/** Returns the space or collection that an input names, if it names one. */
export function targetOf({
  space,
  collection,
}: {
  space?: string;
  collection?: string;
}): LinkTarget | undefined {
  if (space !== undefined) return { type: "space", id: space };
  return collection === undefined ? undefined : { type: "collection", id: collection };
}

/** Returns what a link leads to, if it is more than the organization; 404 when that is gone. */
export async function loadTarget(ctx: Ctx, organization: string, { target }: KeptLink, scope: ContentScope) {
  return target && ((await findTarget(ctx, organization, target, scope)) ?? refuseGone(target));
}

/** Refuses an invite (404) because what it leads to is gone. */
export function refuseGone({ type }: LinkTarget): never {
  refuse("NOT_FOUND", `Invite: the ${type} that it leads to is gone`, { reason: "content_gone" });
}

/**
 * Returns the content of a link, unless it lies in the trash, was removed, or belongs to another organization now; 403
 * when the token does not reach content.
 */
export async function findTarget(
  ctx: Ctx,
  organization: string,
  { type, id }: LinkTarget,
  scope?: ContentScope,
): Promise<Content | undefined> {
  if (scope) refuseScopes(ctx, scope);
  if (type === "space") {
    const row = await spaces.find(ctx, id);
    return row?.organization === organization ? { space: spaceView(ctx)(row) } : undefined;
  }
  const row = await collections.find(ctx, id);
  return row?.organization === organization ? { collection: collectionView(ctx)(row) } : undefined;
}

type ContentScope = "content:read" | "content:write";

/** Refuses a token whose scopes do not reach content (403), though they may reach invites. */
export function refuseScopes({ caller }: Ctx, scope: ContentScope) {
  if (caller.kind !== "user" || coversScopes(caller.scopes, [scope])) return;
  refuse("FORBIDDEN", "Token: its scopes do not reach this", { reason: "insufficient_scope" });
}
