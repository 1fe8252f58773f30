import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** The document that was read from the content of a file; undefined when it was not read yet, or holds none. */
export async function documentOf({ db }: Pick<Ctx, "db">, hash: string): Promise<string | undefined> {
  const row = db.selectFrom("file_specification").select("document").where("hash", "=", hash);
  return (await row.executeTakeFirst())?.document;
}

/** Keeps a document for as long as the content that it was read from; nothing when that is gone. */
export async function keepDocument({ db }: Pick<Ctx, "db">, hash: string, document: string): Promise<void> {
  await sql`insert into file_specification (hash, document)
    select hash, ${document} from stored_file where hash = ${hash} for key share
    on conflict do nothing`.execute(db);
}
