import { type Kysely, sql } from "kysely";
import type { Database } from "../db/database.js";
import { createWork } from "../work/threads.js";
import { type Indexed, indexPages } from "./index-pages.js";

const BATCH = 500;

/** Makes the index of all primary content anew: for a migration that changes what is indexed. */
export async function reindex(anyDb: Kysely<unknown>): Promise<void> {
  const db = anyDb as Kysely<Database>;
  const work = createWork();
  try {
    const spaces = await db.selectFrom("space").select(["id", "organization"]).orderBy("id").execute();
    for (const { id: space, organization } of spaces) {
      for (let after = ""; ; ) {
        const put = await db
          .selectFrom("entry")
          .select(["id", "kind", "title", "slug", "body", "git_path", "props"])
          .$castTo<Indexed>()
          .where("branch", "=", space)
          .where("kind", "=", "page")
          .where("to_seq", "is", null)
          .where("removed", "=", sql.lit(false))
          .where("id", ">", after)
          .orderBy("id")
          .limit(BATCH)
          .execute();
        await indexPages({ db, work }, { space, organization, put, remove: [] });
        if (put.length < BATCH) break;
        after = put.at(-1)!.id;
      }
    }
  } finally {
    await work.close();
  }
}
