import { anyOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import { declaresSource } from "../../computed/files.js";
import { type PathLink, pathLinks } from "../../references/resolve-addresses.js";
import type { ContentPoint, Projection } from "../../revisions/read-space.js";
import { ancestors, ancestorsAtPath, descendants } from "../../store/entries.js";
import {
  COLUMNS,
  type Entry,
  entriesOf,
  type FileEntry,
  type PageEntry,
  type ReusableContentEntry,
} from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** Most pages below a page that are read with it; where there are more, they are read as the tree of a space is. */
export const MOST_BELOW = 500;
/** One more than that shows that there are more. */
const FEW_BELOW = sql.raw(`select * from below limit ${MOST_BELOW + 1}`);

/** A page with what stands around it: the pages above it (innermost first), those below it, and its own text. */
export type PageRow = { [Column in keyof PageEntry]: PageEntry[Column] | null } & {
  above: PageEntry[] | null;
  below: PageEntry[] | null;
  markdown: string | null;
};

/** The page with an id, as a part of a scoped read. What is not there costs nothing: most pages have no pages below. */
export const pageById: Projection<PageRow, { page: string }> = (version, arg) => {
  const child = entriesOf(version, sql`e.kind = 'page' and e.parent = p.id`, sql`1`);
  const below = sql`case when exists (${child}) then (with recursive ${descendants(version, sql`p.id`)}
        select json_agg(below order by below.position, below.id) from (${FEW_BELOW}) below) end`;
  return pageAndLine(version, arg("page"), below);
};

/** The page with an id as a part of a scoped read, without those below it, and the relative addresses in its text. */
export const pageAlone: Projection<PageRow & { links: PathLink[] | null }, { page: string }> = (
  version,
  arg,
) => {
  const { columns, joins } = pageAndLine(version, arg("page"), sql`null`);
  const links = pathLinks(version, sql`e.kind = 'page' and e.id = ${arg("page")}`);
  return { columns: sql`${columns}, (select json_agg(l) from (${links}) l) as links`, joins };
};

const pageAndLine = (version: ContentPoint, id: RawBuilder<unknown>, below: RawBuilder<unknown>) => ({
  columns: sql<PageRow>`p.*, b.markdown,
      case when p.parent is not null then (with recursive ${ancestors(version, sql`p.parent`)}
        select json_agg(line order by line.depth) from line) end as above,
      ${below} as below`,
  joins: sql`left join (${entriesOf(version, sql`e.id = ${id}`)}) p on p.kind = 'page'
      left join body b on b.space = ${version.space} and b.hash = p.body`,
});

/** The page at a path of slugs, as a part of a scoped read. */
export const pageByPath: Projection<PageRow, { slugs: string[] }> = (version, arg) => ({
  columns: sql`p.*, b.markdown,
    (with recursive ${ancestors(version, sql`p.parent`)}
      select json_agg(line order by line.depth) from line) as above,
    (with recursive ${descendants(version, sql`p.id`)}
      select json_agg(below order by below.position, below.id) from (${FEW_BELOW}) below) as below`,
  joins: sql`left join lateral (with recursive ${ancestorsAtPath(version, arg("slugs"))}
      select ${COLUMNS} from line e where e.depth = 0) p on true
    left join body b on b.space = ${version.space} and b.hash = p.body`,
});

/** An entry with the text that it names, as a part of a scoped read; all null when it is not there. */
export interface TextRow<Text extends Entry> {
  entry: Text | null;
  markdown: string | null;
}

/** One page with its own text, and nothing of what stands around it. */
export const pageText: Projection<TextRow<PageEntry>, { id: string }> = (version, arg) =>
  withText<PageEntry>(version, sql`e.kind = 'page' and e.id = ${arg("id")}`);

/** One reusable content with its text. */
export const reusableText: Projection<TextRow<ReusableContentEntry>, { id: string }> = (version, arg) =>
  withText<ReusableContentEntry>(version, sql`e.kind = 'reusable' and e.id = ${arg("id")}`);

const withText = <Text extends Entry>(version: ContentPoint, where: RawBuilder<unknown>) => ({
  columns: sql<TextRow<Text>>`row_to_json(t) as entry, b.markdown`,
  joins: sql`left join lateral (${entriesOf(version, where)}) t on true
    left join body b on b.space = ${version.space} and b.hash = t.body`,
});

/** One reusable content. */
export const reusableById: Projection<{ reusable: ReusableContentEntry | null }, { id: string }> = (
  version,
  arg,
) => ({
  columns: sql`(select row_to_json(e)
    from (${entriesOf(version, sql`e.kind = 'reusable' and e.id = ${arg("id")}`)}) e) as reusable`,
});

/** One file, as a part of a scoped read. */
export const fileById: Projection<{ file: FileEntry | null }, { file: string }> = (version, arg) => ({
  columns: sql`(select row_to_json(e)
    from (${entriesOf(version, sql`e.kind = 'file' and e.id = ${arg("file")}`)}) e) as file`,
});

interface FilesArgs {
  after: string;
  limit: number;
}

interface FilesPart {
  files: FileEntry[];
  count: number;
  /** Whether a page declares a source, with which there may be more. */
  declares: boolean;
}

/** One page of the list of files that are in a version, and how many there are. */
export const filesAfter: Projection<FilesPart, FilesArgs> = (version, arg) => ({
  columns: sql`(select coalesce(json_agg(f order by f.id), '[]'::json) from (
      select * from (${entriesOf(version, sql`e.kind = 'file' and e.id > ${arg("after")}`)}) e
      order by e.id limit ${arg("limit")}::int) f) as files,
    (select count(*)::int from (${entriesOf(version, sql`e.kind = 'file'`, sql`e.id`)}) e) as count,
    ${declaresSource(version)} as declares`,
});

/** Where spaces are published; a visitor of a site learns of no other. */
export const audiencesOf = ({ db, caller }: Ctx, spaces: string[]) =>
  db
    .selectFrom("audience")
    .select(["space", "visibility", "url"])
    .where("space", "=", anyOf(spaces))
    .$if(caller.kind === "reader", (query) =>
      query.where("site", "=", caller.kind === "reader" ? caller.site : ""),
    )
    .execute();
