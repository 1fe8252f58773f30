import type { Settings } from "@octavo/markdown/navigation/settings";
import { sql } from "kysely";
import { ancestors } from "../store/entries.js";
import { entriesOf, type PageEntry, type ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** Old paths of one space that are kept, and bytes of each and of the file that it leads to. */
const MOST = 5_000;
const LONGEST = 1_024;

/** How an old path is compared: neither case nor the ending of a file makes a difference. */
const keyOf = (path: string): string =>
  path
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.(?:md|html?)$/i, "")
    .toLowerCase();

/** What PostgreSQL does not hold, in texts and in JSON. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

const isKeepable = (path: string): boolean =>
  path !== "" && Buffer.byteLength(path) <= LONGEST && path.search(UNSTORABLE) === -1;

/** The old paths in the settings that are kept, each with its file, and those that are not, as they are reported. */
export function redirectsIn({ redirects }: Pick<Settings, "redirects">) {
  const kept = new Map<string, { reported: string; file: string }>();
  const left: string[] = [];
  for (const [written, to] of Object.entries(redirects)) {
    const path = keyOf(written);
    const file = to.replace(/#.*$/s, "");
    const reported = written.slice(0, 100).replace(UNSTORABLE, "\ufffd");
    if ([path, file].every(isKeepable) && !kept.has(path) && kept.size < MOST)
      kept.set(path, { reported, file });
    else left.push(reported);
  }
  return { kept, left };
}

/** Keeps the redirects of these settings instead of those that the space had; writes what differs. */
export async function keepRedirects({ db }: Ctx, space: string, settings: Settings): Promise<void> {
  const { kept } = redirectsIn(settings);
  const files = [...kept.values()].map(({ file }) => file);
  await sql`with wanted as materialized (
      select * from unnest(${[...kept.keys()]}::text[], ${files}::text[]) as w (path, file)),
    gone as (delete from git_redirect r
      where r.space = ${space} and r.path not in (select path from wanted))
    insert into git_redirect as r select ${space}, path, file from wanted
    on conflict (space, path) do update set file = excluded.file where r.file <> excluded.file`.execute(db);
}

/** The page that a redirect leads to in a version, and those above it, innermost first; none where no redirect stands. */
export async function redirectedPage({ db }: Ctx, version: ReadPoint, path: string): Promise<PageEntry[]> {
  const page = entriesOf(version, sql`e.kind = 'page' and e.git_path = r.file`, sql`e.id, e.position`);
  const { rows } = await sql<PageEntry>`with recursive
    led as (select p.id from git_redirect r cross join lateral (select * from (${page}) e offset 0) p
      where r.space = ${version.space} and r.path = ${keyOf(path)} order by p.position, p.id limit 1),
    ${ancestors(version, sql`(select id from led)`)}
    select * from line order by depth`.execute(db);
  return rows;
}
