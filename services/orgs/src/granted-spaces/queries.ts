import type { Ctx } from "../trpc.js";

interface Count {
  spaces: number;
  /** A count of a lower version than the one that is kept came late, and is passed over. */
  version: number;
}

/** Stores how many spaces a member was granted, unless a later count is stored. */
export const keepForMember = ({ db }: Ctx, organization: string, person: string, count: Count) =>
  db
    .updateTable("member")
    .set({ spaces: count.spaces, spaces_version: count.version })
    .where("organization", "=", organization)
    .where("person", "=", person)
    .where("spaces_version", "<", count.version)
    .execute();

/** Stores how many spaces a team was granted, unless a later count is stored. */
export const keepForTeam = ({ db }: Ctx, organization: string, id: string, count: Count) =>
  db
    .updateTable("team")
    .set({ spaces: count.spaces, spaces_version: count.version })
    .where("organization", "=", organization)
    .where("id", "=", id)
    .where("spaces_version", "<", count.version)
    .execute();
