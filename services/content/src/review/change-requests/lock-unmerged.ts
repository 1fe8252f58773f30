import { refuse } from "@octavo/shared/errors";
import type { Ctx } from "../../trpc.js";
import { lock } from "./queries.js";

/** A change request as it is until the transaction ends; 400 when it is archived or merged, for then it stays as it is. */
export async function lockUnmerged(ctx: Ctx, id: string, done: string) {
  const { status, ...rest } = await lock(ctx, id);
  if (status === "draft" || status === "open") return { ...rest, status };
  const message = `Change request: it is ${status}, and can not be ${done}`;
  return refuse("BAD_REQUEST", message, { reason: `change_request_${status}` });
}
