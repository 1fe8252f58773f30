import { anyOf } from "@octavo/shared/database/any-of";
import type { GitCommit, RevisionType } from "../db/tables/store.js";
import type { Ctx } from "../trpc.js";

export interface RevisionRow {
  id: string;
  space: string;
  parents: string[];
  type: RevisionType;
  merged_from: string | null;
  git: GitCommit | null;
  created_at: string;
}

/** A revision that the space is known to have. */
export function revisionById(ctx: Ctx, space: string, id: string): Promise<RevisionRow> {
  return revisions(ctx).where("space", "=", space).where("id", "=", id).executeTakeFirstOrThrow();
}

/** Revisions of any spaces. */
export const revisionsById = (ctx: Ctx, ids: string[]): Promise<RevisionRow[]> =>
  revisions(ctx).where("id", "=", anyOf(ids)).execute();

const revisions = (ctx: Ctx) =>
  ctx.db
    .selectFrom("revision")
    .select(["id", "space", "parents", "type", "merged_from", "git", "created_at"]);
