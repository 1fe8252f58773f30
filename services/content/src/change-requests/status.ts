import { refuse } from "@octavo/shared/errors";
import type { Ctx } from "../trpc.js";
import { lock } from "./queries.js";

interface Found {
  id: string;
  /** The one in which the caller was found to have access. */
  organization: string;
}

/** A change request as it is until the transaction ends; 409 when it left the organization in the meantime. */
export async function lockFound(ctx: Ctx, { id, organization }: Found) {
  const row = await lock(ctx, id);
  if (row.organization === organization) return row;
  return refuse("CONFLICT", "Change request: its organization changed in the meantime");
}

/** `lockFound`; 400 when it is archived or merged, for then it stays as it is. */
export async function lockUnmerged(ctx: Ctx, found: Found, done: string) {
  const { status, ...rest } = await lockFound(ctx, found);
  if (status === "draft" || status === "open") return { ...rest, status };
  const message = `Change request: it is ${status}, and can not be ${done}`;
  return refuse("BAD_REQUEST", message, { reason: `change_request_${status}` });
}
