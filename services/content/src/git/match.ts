import { generateNKeysBetween } from "fractional-indexing";
import { sql } from "kysely";
import { batchesOf, keyset } from "../store/batches.js";
import { entriesOf } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { positionsInOrder } from "./positions.js";
import { isAmong } from "./staged.js";

/**
 * Finds out which staged entries the space has already: a page or file by its path, or by the one that it was renamed
 * from, a group by its slug, a link by where it leads, the first of equals first. Their ids are kept, so that links and comments survive, and their places where
 * the order of siblings did not change.
 */
export async function match(ctx: Ctx, operation: string, space: string): Promise<void> {
  await byFile(ctx, operation, space);
  await keepSlugs(ctx, operation, space);
  await leadLinks(ctx, operation);
  const { rows } = await sql<{ depth: number }>`select distinct depth from import_entry
    where operation = ${operation} and kind = 'page' and file is null order by depth`.execute(ctx.db);
  // A page is known by its parent, too: from the top down.
  for (const { depth } of rows) await byPlace(ctx, operation, space, depth);
  await place(ctx, operation);
}

const current = (space: string, kind: ReturnType<typeof sql>) =>
  sql`(${entriesOf({ branch: space }, kind, sql`e.*`)}) e`;

async function byFile({ db }: Ctx, operation: string, space: string) {
  await sql`update import_entry w set id = e.id, position = e.position from ${current(space, sql`e.git_path is not null`)}
    where w.operation = ${operation} and e.kind = w.kind and e.git_path = w.file
      and coalesce((e.props->>'occurrence')::int, 0) = w.occurrence`.execute(db);
  // A file that came in under this name meanwhile is the one.
  const isThere = sql`exists (select 1 from ${current(space, sql`e.git_path is not null`)}
    where e.git_path = w.file and e.kind = w.kind)`;
  await sql`update import_entry w set id = e.id, position = e.position
    from import_file f, ${current(space, sql`e.git_path is not null`)}
    where w.operation = ${operation} and f.operation = w.operation and f.path = w.file and e.git_path = f.renamed_from
      and e.kind = w.kind and coalesce((e.props->>'occurrence')::int, 0) = w.occurrence and not ${isThere}`.execute(
    db,
  );
  await sql`update import_entry w set id = e.id from ${current(space, sql`e.kind = 'variable'`)}
    where w.operation = ${operation} and w.kind = e.kind and e.title = w.title`.execute(db);
}

/**
 * A page at the path that it had keeps its slug, which may have been given by a change; its text may say another. What is
 * reusable keeps it at any path.
 */
async function keepSlugs({ db }: Ctx, operation: string, space: string) {
  const isTaken = sql`exists (select 1 from import_entry o where o.operation = w.operation and o.kind = 'page'
    and o.parent is not distinct from w.parent and o.slug = e.slug)`;
  await sql`update import_entry w set slug = e.slug
    from import_file f, ${current(space, sql`e.kind = 'page' and e.git_path is not null and e.slug is not null`)}
    where w.operation = ${operation} and w.kind = 'page' and w.id = e.id and w.file = e.git_path and w.slug <> e.slug
      and f.operation = w.operation and f.path = w.file and not coalesce(f.source ? 'slug', false)
      and not ${isTaken}`.execute(db);
  // A reusable content has one from the time before it had a file.
  await sql`update import_entry w set slug = e.slug
    from ${current(space, sql`e.kind = 'reusable' and e.slug is not null`)}
    where w.operation = ${operation} and w.kind = 'reusable' and w.id = e.id`.execute(db);
}

/** Lets links lead to the pages that are made of the files they name. */
async function leadLinks({ db }: Ctx, operation: string) {
  await sql`update import_entry w set props = jsonb_set(w.props, '{target}', jsonb_strip_nulls(jsonb_build_object(
      'kind', case when w.leads_to ? 'anchor' then 'anchor' else 'page' end, 'page', p.id, 'anchor', w.leads_to->'anchor')))
    from import_entry p where w.operation = ${operation} and w.leads_to is not null
      and p.operation = w.operation and p.file = w.leads_to->>'file' and p.kind = 'page' and p.occurrence = 0`.execute(
    db,
  );
}

async function byPlace({ db }: Ctx, operation: string, space: string, depth: number) {
  const comparable = (alias: string) => {
    const [props, slug, title] = ["props", "slug", "title"].map((name) => sql.ref(`${alias}.${name}`));
    return sql`${props}->>'type' as type,
      case when ${props}->>'type' = 'link' then (${props}->'target')::text else coalesce(${slug}, ${title}) end as comparable`;
  };
  const nth = sql`row_number() over (partition by above, type, comparable`;
  await sql`with
    wanted as (select *, ${nth} order by ordinal) as nth from (
      select w.ordinal, coalesce(a.id, '') as above, ${comparable("w")} from import_entry w
      left join import_entry a on a.operation = w.operation and a.ordinal = w.parent
      where w.operation = ${operation} and w.depth = ${depth} and w.kind = 'page' and w.file is null) w),
    known as (select *, ${nth} order by position, id) as nth from (
      select e.id, e.position, coalesce(e.parent, '') as above, ${comparable("e")}
      from ${current(space, sql`e.kind = 'page' and e.git_path is null`)}) e)
    update import_entry w set id = known.id, position = known.position
    from wanted join known using (above, type, comparable, nth)
    where w.operation = ${operation} and w.ordinal = wanted.ordinal`.execute(db);
}

const PORTION = 500;

interface Sibling {
  ordinal: number;
  above: number;
  position: string | null;
}

/**
 * Positions of siblings: those that they have, as far as these are in order, so that a page that comes in between
 * changes no other one; where none has any, the same new ones below each page.
 */
async function place(ctx: Ctx, operation: string) {
  let siblings: Sibling[] = [];
  for await (const sibling of disordered(ctx, operation)) {
    if (siblings[0]?.above !== sibling.above) {
      await putInOrder(ctx, operation, siblings);
      siblings = [];
    }
    siblings.push(sibling);
  }
  await putInOrder(ctx, operation, siblings);
  await placeNew(ctx, operation);
}

/** The pages whose siblings have positions, and not all of them, or not in order. Those of one parent follow each other. */
async function* disordered({ db }: Ctx, operation: string): AsyncGenerator<Sibling> {
  const open = sql`w.operation = ${operation} and w.kind = 'page'`;
  const parents = keyset<{ above: number }>(async (last) => {
    const { rows } = await sql<{ above: number }>`select above from (
        select coalesce(w.parent, -1) as above, nullif(w.position, '') as position,
          lag(w.position) over (partition by w.parent order by w.ordinal) as before
        from import_entry w where ${open}) w
      where above > ${last?.above ?? -2} group by above
      having bool_or(position is null or position <= before) and bool_or(position is not null)
      order by above limit ${PORTION}`.execute(db);
    return rows;
  });
  for await (const batch of batchesOf(parents, PORTION)) {
    const among = batch.map(({ above }) => above);
    yield* keyset<Sibling>(async (last) => {
      const { rows } = await sql<Sibling>`select w.ordinal, coalesce(w.parent, -1) as above,
          nullif(w.position, '') as position from import_entry w
        where ${open} and coalesce(w.parent, -1) = any(${among}::int[])
          and (coalesce(w.parent, -1), w.ordinal) > (${last?.above ?? -2}, ${last?.ordinal ?? -1})
        order by above, w.ordinal limit ${PORTION}`.execute(db);
      return rows;
    });
  }
}

async function putInOrder({ db }: Ctx, operation: string, siblings: Sibling[]) {
  const positions = positionsInOrder(siblings.map(({ position }) => position));
  const moved = siblings.flatMap(({ ordinal, position }, at) =>
    position === positions[at] ? [] : { ordinal, position: positions[at] },
  );
  for await (const batch of batchesOf(moved, PORTION))
    await sql`update import_entry w set position = m.position
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as m (ordinal int, position text)
      where w.operation = ${operation} and w.ordinal = m.ordinal and ${isAmong(batch)}`.execute(db);
}

async function placeNew({ db }: Ctx, operation: string) {
  const open = sql`w.operation = ${operation} and w.kind = 'page' and nullif(w.position, '') is null`;
  const { rows } = await sql<{
    count: number;
  }>`select coalesce(max(w.place) + 1, 0) as count from import_entry w where ${open}`.execute(db);
  let last: string | null = null;
  for (let from = 0; from < rows[0]!.count; from += PORTION) {
    const keys: string[] = generateNKeysBetween(last, null, Math.min(PORTION, rows[0]!.count - from));
    last = keys.at(-1)!;
    await sql`update import_entry w set position = k.key
      from unnest(${keys}::text[]) with ordinality as k (key, nth)
      where ${open} and w.place = ${from} + k.nth - 1`.execute(db);
  }
}
