import { migrate } from "@octavo/shared/database/migrate";
import { testSchema } from "@octavo/shared/testing/schema";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrations } from "../migrations.js";

test("what reviews said before becomes comments, which the change request counts", async () => {
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0010"));
  const { db, drop } = await testSchema({ service: "content", migrations: earlier });
  try {
    const at = "2026-01-01T00:00:00.000Z";
    await sql`insert into space (id, organization, position, revision, created_by) values ('s', 'acme', 'a', 'r', 'ada')`.execute(
      db,
    );
    await sql`insert into change_request (id, space, organization, number, revision_initial, created_by)
      values ('c', 's', 'acme', 1, 'r', 'ada'), ('d', 's', 'acme', 2, 'r', 'ada')`.execute(db);
    await sql`insert into review (id, change_request, revision, reviewer, status, comment, comment_id, created_at, updated_at)
      values ('one', 'c', 'r1', 'bob', 'approved', 'Fine.', 'said', ${at}, ${at}),
        ('two', 'c', 'r2', 'eve', 'approved', null, null, ${at}, ${at})`.execute(db);
    expect(await migrate({ db, migrations })).toContain("0010-review-comments");
    const { rows } = await sql`select id, space, branch, parent, review, revision, body, posted_by, posted_at
      from comment`.execute(db);
    expect(rows).toEqual([
      {
        ...{ id: "said", space: "s", branch: "c", parent: null, review: "one", revision: "r1" },
        ...{ body: "Fine.", posted_by: "bob", posted_at: at },
      },
    ]);
    const { rows: counters } = await sql`select id, comments from change_request order by id`.execute(db);
    expect(counters).toEqual([
      { id: "c", comments: 1 },
      { id: "d", comments: 0 },
    ]);
  } finally {
    await drop();
  }
});
