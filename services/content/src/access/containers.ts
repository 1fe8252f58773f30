import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { type Container, subjectsOf } from "./level.js";

/** Ids of the caller and the caller's teams, or what stands for them in a prepared query. */
type Subjects = string[] | RawBuilder<string[]>;

const grantsOn = (target: string, subjects: Subjects) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('kind', g.subject_kind, 'role', g.role))
  from content_grant g where g.target = ${sql.ref(target)} and g.subject = any(${subjects})), '[]'::jsonb)`;

/** A column that holds the containers of a space: the space itself, then its collections, innermost first. */
export const spaceContainers = ({ caller }: Pick<Ctx, "caller">, space = "space") =>
  containersOfSpace(subjectsOf(caller), space);

/** The containers of a space as SQL, with the grants to subjects that may be stand-ins of a prepared query. */
export function containersOfSpace(subjects: Subjects, space = "space") {
  return sql<Container[]>`jsonb_build_array(jsonb_build_object('id', ${sql.ref(`${space}.id`)},
      'created_by', ${sql.ref(`${space}.created_by`)}, 'default_level', ${sql.ref(`${space}.default_level`)}, 'grants', ${grantsOn(`${space}.id`, subjects)}))
    || ${above(sql`${sql.ref(`${space}.parent`)}`, subjects, true)}`;
}

/** A column that holds the containers of a collection: itself, then the collections around it. */
export function collectionContainers({ caller }: Pick<Ctx, "caller">, collection = "collection") {
  return above(sql`${sql.ref(`${collection}.id`)}`, subjectsOf(caller), false);
}

function above(start: ReturnType<typeof sql>, subjects: Subjects, optional: boolean) {
  const chain = sql`(
    select jsonb_agg(jsonb_build_object('id', c.id, 'created_by', c.created_by,
      'default_level', c.default_level, 'grants', ${grantsOn("c.id", subjects)}) order by cardinality(c.ancestors) desc)
    from collection c
    where c.id = any((select p.ancestors || p.id from collection p where p.id = ${start})::text[]))`;
  return optional
    ? sql<Container[]>`case when ${start} is null then '[]'::jsonb else coalesce(${chain}, '[]'::jsonb) end`
    : sql<Container[]>`coalesce(${chain}, '[]'::jsonb)`;
}
