import { sql } from "kysely";
import { PUBLISHED, pinnedRevisions } from "../../access/visibility.js";
import { declaresSource, shownFile } from "../../computed/files.js";
import type { FileProps } from "../../db/tables/entries.js";
import type { Projection } from "../../revisions/read-space.js";
import { entriesOf } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

interface Hashes {
  files: { id: string; hash: string }[];
  /** Whether a page declares a source, with which there may be more. */
  declares: boolean;
}

/** The files of a version, with the hashes of their contents. */
export const hashesOfFiles: Projection<Hashes, object> = (version) => ({
  columns: sql`(select coalesce(json_agg(json_build_object('id', e.id, 'hash', e.body) order by e.id), '[]'::json)
    from (${entriesOf(version, sql`e.kind = 'file'`)}) e) as files, ${declaresSource(version)} as declares`,
});

interface Wanted {
  space: string;
  hash: string;
  name: string;
  /** Files that were replaced or removed after this count as well. */
  since: Date;
}

interface PublishedFile {
  title: string;
  props: FileProps;
}

/** A file with this content in a space that everybody may see, the one of this name first. */
export async function publishedFile(ctx: Ctx, wanted: Wanted): Promise<PublishedFile | undefined> {
  const stored = await storedFile(ctx, wanted);
  if (stored || !(await isPublished(ctx, wanted.space))) return stored;
  return shownFile(ctx, wanted);
}

const isPublished = async ({ db }: Ctx, space: string): Promise<boolean> => {
  const own = db.selectFrom("space").select("id").where("id", "=", space).where("deleted_at", "is", null);
  return (await own.where("visibility", "in", PUBLISHED).executeTakeFirst()) !== undefined;
};

async function storedFile(
  { db }: Ctx,
  { space, hash, name, since }: Wanted,
): Promise<PublishedFile | undefined> {
  const { rows } = await sql<PublishedFile>`select e.title, e.props from entry e
    join space on space.id = e.branch and space.deleted_at is null
      and space.visibility in (${sql.join(PUBLISHED.map((one) => sql.lit(one)))})
    where e.kind = 'file' and e.body = ${hash} and e.branch = ${space} and not e.removed
      and (e.to_seq is null or exists (select from revision r
        where r.branch = e.branch and r.seq = e.to_seq and r.created_at > ${since})
        or exists (select from (${pinnedRevisions(space)}) pinned
          where pinned.branch = e.branch and pinned.seq >= e.from_seq and pinned.seq < e.to_seq))
    order by e.title = ${name} desc, e.to_seq desc nulls first, e.id limit 1`.execute(db);
  return rows[0];
}
