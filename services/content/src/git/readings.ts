import type { PageSource } from "@octavo/markdown/source/source";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import type { Operation } from "./operations.js";

type Import = Pick<Operation, "id" | "space">;

// What a text says of its page is kept from one import of a space to the next: read is what changed.

/** The way in which texts are read; another one reads all of them anew. */
const READING = 1;

/** Takes over what is known of the texts that a commit has as the space has them, and marks the files they point to. */
export async function reuseReadings({ db }: Ctx, { id, space }: Import): Promise<void> {
  // What an entry names is not swept.
  await sql`update import_file f set hash = r.hash, source = r.source, links = r.links
    from git_reading r join entry e on e.branch = ${space} and e.git_path = r.path and e.git_oid = r.oid
      and e.body = r.hash and e.to_seq is null and not e.removed
    where f.operation = ${id} and (f.page or f.reusable) and r.space = ${space} and r.reading = ${READING}
      and r.path = f.path and r.oid = f.oid`.execute(db);
  // As an array the paths are gathered once, whatever the planner expects of a commit that was staged just now.
  await sql`update import_file set asset = true where operation = ${id} and not asset and path = any(array(
    select jsonb_array_elements_text(f.links) from import_file f
    where f.operation = ${id} and f.links is not null))`.execute(db);
}

/** What a text that is kept says, as an import has read it. */
export interface Reading {
  path: string;
  oid: string;
  hash: string;
  source: PageSource;
  links: string[];
}

/** What the import before has read of texts, by their paths; what it reported problems of is not among them. */
export async function readingsOf({ db }: Ctx, space: string, paths: string[]): Promise<Map<string, Reading>> {
  const { rows } = await sql<Reading>`select path, oid, hash, source, links from git_reading
    where space = ${space} and reading = ${READING} and path = any(${paths})`.execute(db);
  return new Map(rows.map((row) => [row.path, row]));
}

/** Keeps what texts say, beside what is known of others. */
export async function addReadings({ db }: Ctx, space: string, readings: Reading[]): Promise<void> {
  await sql`insert into git_reading (space, path, oid, reading, hash, source, links)
    select ${space}, r.path, r.oid, ${READING}, r.hash, r.source, r.links
    from jsonb_to_recordset(${JSON.stringify(readings)}::jsonb)
      as r (path text, oid text, hash text, source jsonb, links jsonb)
    on conflict (space, path) do update
      set oid = excluded.oid, reading = excluded.reading, hash = excluded.hash, source = excluded.source,
        links = excluded.links`.execute(db);
}

/** Keeps what the texts of an import say, and forgets what is known of others. */
export async function keepReadings({ db }: Ctx, { id, space }: Import): Promise<void> {
  await sql`insert into git_reading (space, path, oid, reading, hash, source, links)
    select ${space}, f.path, f.oid, ${READING}, f.hash, f.source, f.links from import_file f
    where f.operation = ${id} and f.hash is not null and f.links is not null
    on conflict (space, path) do update
      set oid = excluded.oid, reading = excluded.reading, hash = excluded.hash, source = excluded.source,
        links = excluded.links
      where (git_reading.oid, git_reading.reading) is distinct from (excluded.oid, excluded.reading)`.execute(
    db,
  );
  await sql`delete from git_reading r where r.space = ${space} and not exists (
    select 1 from import_file f where f.operation = ${id} and f.path = r.path and f.links is not null)`.execute(
    db,
  );
}
