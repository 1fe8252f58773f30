import { entriesOfKind } from "../../store/entries.js";
import type { PageEntry, ReadAt } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { Edition } from "./address.js";

/** What a PDF says of a space and of the revision that it holds; undefined when either is gone. */
export function about({ db }: Pick<Ctx, "db">, { space, revision }: Edition) {
  return db
    .selectFrom("space")
    .innerJoin("revision", "revision.space", "space.id")
    .leftJoin("change_request", "change_request.id", "revision.branch")
    .select(["space.organization", "space.title", "space.emoji", "space.language"])
    .select(["revision.created_at", "change_request.number", "change_request.subject"])
    .where("space.id", "=", space)
    .where("space.deleted_at", "is", null)
    .where("revision.id", "=", revision)
    .executeTakeFirst();
}

export type About = NonNullable<Awaited<ReturnType<typeof about>>>;

/** All pages of a version, in the order of their siblings. */
export const pages = (ctx: Ctx, version: ReadAt): Promise<PageEntry[]> => entriesOfKind(ctx, version, "page");
