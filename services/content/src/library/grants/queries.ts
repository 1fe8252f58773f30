import type { Role } from "@octavo/shared/contracts/roles";
import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, sql } from "kysely";
import type { Container, Grant } from "../../access/level.js";
import type { Target } from "../../access/lock.js";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["content_grant"];
/** What is granted here to users or to teams; to these alone, when there are any named. */
export const list = ({ db }: Ctx, target: string, kind: "user" | "team", subjects?: string[]) =>
  db
    .selectFrom("content_grant")
    .select(["subject", "role", "created_at"])
    .where("target", "=", target)
    .where("subject_kind", "=", kind)
    .$if(subjects !== undefined, (query) => query.where("subject", "=", anyOf(subjects!)));

/** The roles that are granted to the subjects here; nobody changes them until the transaction ends. */
export const held = ({ db }: Ctx, target: string, subjects: string[]) =>
  db
    .selectFrom("content_grant")
    .select(["subject", "subject_kind", "role"])
    .where("target", "=", target)
    .where("subject", "=", anyOf(subjects))
    .orderBy("subject")
    .forUpdate()
    .execute();

/** Inserts grants, or replaces the role of those that are there. */
export const put = ({ db }: Ctx, values: Insertable<Table>[]) =>
  db
    .insertInto("content_grant")
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(["target", "subject"]).doUpdateSet((of) => ({
        role: of.ref("excluded.role"),
        created_at: of.ref("excluded.created_at"),
        joined_at: sql<string | null>`greatest(content_grant.joined_at, excluded.joined_at)`,
      })),
    )
    .execute();

/** Changes the role of a grant. */
export const setRole = ({ db }: Ctx, target: string, subject: string, role: Role) =>
  db
    .updateTable("content_grant")
    .set({ role })
    .where("target", "=", target)
    .where("subject", "=", subject)
    .execute();

/** Deletes the grants of subjects on one space or collection. */
export const remove = ({ db }: Ctx, target: string, subjects: string[]) =>
  db
    .deleteFrom("content_grant")
    .where("target", "=", target)
    .where("subject", "=", anyOf(subjects))
    .execute();

/** The organization of a space that is not being purged, or of a collection, whose row is locked for the change. */
export async function lockOrganization({ db }: Ctx, { kind, id }: Target): Promise<string | undefined> {
  const alive = kind === "space" ? sql`purging_at is null` : sql`true`;
  const { rows } = await sql<{ organization: string }>`
    select organization from ${sql.table(kind)} where id = ${id} and ${alive} for update`.execute(db);
  return rows[0]?.organization;
}

/** A grant and whose it is. */
export type Granted = Grant & { subject: string };

/** The thing and what it lies in, innermost first, with all that is granted on them. */
export async function containers({ db }: Ctx, { kind, id }: Target) {
  const grants = sql`coalesce((select jsonb_agg(jsonb_build_object('kind', g.subject_kind, 'role', g.role, 'subject', g.subject))
    from content_grant g where g.target = t.id), '[]'::jsonb)`;
  const innermost = kind === "space" ? sql`(select s.parent from space s where s.id = ${id})` : sql`${id}`;
  const { rows } = await sql<Omit<Container, "grants"> & { grants: Granted[] }>`
    select t.id, t.created_by, t.default_level, ${grants} as grants from (
      select id, created_by, default_level, 0 as rank from space where id = ${id} and ${kind} = 'space'
      union all
      select c.id, c.created_by, c.default_level, 100 - cardinality(c.ancestors) from collection c
      where c.id = any((select p.ancestors || p.id from collection p where p.id = ${innermost})::text[])
    ) t order by t.rank`.execute(db);
  return rows;
}
