import { refuse } from "@octavo/shared/errors";
import type { ChangeRequestStatus } from "../../db/tables/change-requests.js";
import { askToLockBranch } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { askToLockWithBranch, lock } from "./queries.js";

/** A change request as it is until the transaction ends; 400 when it is archived or merged, for then it stays as it is. */
export async function lockUnmerged(ctx: Ctx, id: string, done: string) {
  const { status, ...rest } = await lock(ctx, id);
  return { ...rest, status: unmerged(status, done) };
}

/**
 * Sends for a change request and the head of its branch, which is locked first, as they are until the transaction ends; 400
 * when it is archived or merged.
 */
export async function askToLockUnmergedBranch(ctx: Ctx, id: string, done: string) {
  const locked = await askToLockWithBranch(ctx, id);
  return async () => unmergedBranch(await locked(), done);
}

/** The same together with the head of the primary branch, which is locked before both. */
export async function lockForMerge(ctx: Ctx, space: string, id: string, done: string) {
  const head = await askToLockBranch(ctx, space);
  const locked = await askToLockWithBranch(ctx, id);
  return { head: await head(), ...unmergedBranch(await locked(), done) };
}

function unmergedBranch(
  { status, branch, ...rest }: Awaited<ReturnType<Awaited<ReturnType<typeof askToLockWithBranch>>>>,
  done: string,
) {
  return { branch, changeRequest: { ...rest, status: unmerged(status, done) } };
}

function unmerged(status: ChangeRequestStatus, done: string): "draft" | "open" {
  if (status === "draft" || status === "open") return status;
  const message = `Change request: it is ${status}, and can not be ${done}`;
  return refuse("BAD_REQUEST", message, { reason: `change_request_${status}` });
}
