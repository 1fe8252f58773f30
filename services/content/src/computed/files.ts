import { type RawBuilder, sql } from "kysely";
import { pinnedRevisions } from "../access/visibility.js";
import type { FileProps } from "../db/tables/entries.js";
import { derivedOnce } from "../revisions/cached.js";
import type { ResolvedTarget } from "../revisions/target.js";
import type { FileEntry } from "../store/version.js";
import { entriesOf } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { keyOf } from "./dependencies.js";
import { declaredIn } from "./expand.js";
import * as queries from "./queries.js";
import { type ComputedSource, isOfIntegration } from "./source.js";

// Files that integrations compute beside pages. Like these they are in no version, but shown with one.

/** As a part of a read: whether pages of a version declare a source. */
export const declaresSource = (version: Parameters<typeof entriesOf>[0]) =>
  sql`exists (${entriesOf(version, queries.IS_COMPUTED, sql`1`)})`;

interface FileRow {
  id: string;
  name: string;
  hash: string;
  props: FileProps;
  created_at: string;
}

const BYTES = 500;

/** The files that the sources which a version declares have computed, by their ids; read once for each revision. */
export async function filesIn(ctx: Ctx, scope: ResolvedTarget): Promise<FileEntry[]> {
  const { version } = scope;
  const { files } = await derivedOnce<{ files: FileEntry[] }>(
    ctx,
    { space: version.space, version },
    {
      key: "computed files",
      sizeOf: ({ files }) => BYTES * (1 + files.length),
      make: async () => {
        const { time, pages } = await declaredIn(ctx, scope);
        const declared = pages.map(({ entry }) => (entry.props as { computed: ComputedSource }).computed);
        const keys = declared.filter(isOfIntegration).map(keyOf);
        return { files: await filesAt(ctx, version.space, [...new Set(keys)], time) };
      },
    },
  );
  return files;
}

/** The files that came with what was computed of some sources, as it was at a time; null is now. */
export async function filesAt(
  { db }: Ctx,
  space: string,
  keys: string[],
  time: string | null,
): Promise<FileEntry[]> {
  if (keys.length === 0) return [];
  const until = time === null ? sql`true` : sql`r.created_at <= ${time}`;
  const { rows } = await sql<FileRow>`select f.id, f.name, f.hash, f.props, at.created_at
    from unnest(${keys}::text[]) as source (key)
    cross join lateral (select r.id, r.created_at from computed_result r
      where r.space = ${space} and r.key = source.key and ${until}
      order by r.created_at desc, r.id desc limit 1) at
    join computed_file f on f.result = at.id order by f.id`.execute(db);
  return rows.map(entryOf);
}

const entryOf = ({ id, name, hash, props, created_at }: FileRow): FileEntry => ({
  id,
  kind: "file",
  parent: null,
  position: "",
  slug: null,
  title: name,
  body: hash,
  props,
  git_path: null,
  git_oid: null,
  created_at,
  updated_at: null,
});

interface Wanted {
  space: string;
  hash: string;
  name: string;
  /** Files of results that were replaced after this count as well. */
  since: Date;
}

/**
 * A file with this content among those that pages of a space show, or that a site shows by a release; the one of this name
 * first. For a space that everybody may see.
 */
export async function shownFile(ctx: Ctx, { space, hash, name, since }: Wanted) {
  const { rows } = await sql<{ title: string; props: FileProps; key: string }>`
    select f.name as title, f.props, r.key from computed_file f
    join computed_result r on r.id = f.result and r.space = ${space}
    where f.hash = ${hash} and (not exists (${replacedBy(sql`${since}`)})
      or exists (select from (${pinnedRevisions(space)}) pinned
        where pinned.created_at >= r.created_at and not exists (${replacedBy(sql`pinned.created_at`)})))
    order by f.name = ${name} desc, r.created_at desc, r.id limit 20`.execute(ctx.db);
  if (rows.length === 0) return undefined;
  const declared = new Set((await queries.everDeclared(ctx, space)).map(keyOf));
  return rows.find(({ key }) => declared.has(key));
}

/** A result of the same source as `r` that had taken its place by a time. */
const replacedBy = (time: RawBuilder<unknown>) => sql`select from computed_result newer
  where newer.space = r.space and newer.key = r.key and newer.created_at <= ${time}
    and (newer.created_at, newer.id) > (r.created_at, r.id)`;
