import { anyOf } from "@octavo/shared/database/any-of";
import type { Ctx } from "../trpc.js";

/** Selects the sections of these ids. */
export const among = ({ db }: Ctx, ids: string[]) =>
  db.selectFrom("site_section").selectAll().where("id", "=", anyOf(ids));

/** Selects the groups of sections of a site. */
export const groupsOf = ({ db }: Ctx, site: string) =>
  db.selectFrom("section_group").selectAll().where("site", "=", site);
