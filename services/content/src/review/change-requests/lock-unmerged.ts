import { refuse } from "@octavo/shared/errors";
import type { ChangeRequestStatus } from "../../db/tables/change-requests.js";
import type { Ctx } from "../../trpc.js";
import { lock, lockWithBranch } from "./queries.js";

/** A change request as it is until the transaction ends; 400 when it is archived or merged, for then it stays as it is. */
export async function lockUnmerged(ctx: Ctx, id: string, done: string) {
  const { status, ...rest } = await lock(ctx, id);
  return { ...rest, status: unmerged(status, done) };
}

/**
 * A change request and the head of its branch, which is locked first, as they are until the transaction ends; 400 when it is
 * archived or merged.
 */
export async function lockUnmergedBranch(ctx: Ctx, id: string, done: string) {
  const { status, branch, ...rest } = await lockWithBranch(ctx, id);
  return { branch, changeRequest: { ...rest, status: unmerged(status, done) } };
}

function unmerged(status: ChangeRequestStatus, done: string): "draft" | "open" {
  if (status === "draft" || status === "open") return status;
  const message = `Change request: it is ${status}, and can not be ${done}`;
  return refuse("BAD_REQUEST", message, { reason: `change_request_${status}` });
}
