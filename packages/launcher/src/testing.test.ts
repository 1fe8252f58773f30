import { connect } from "nats";
import pg from "pg";
import { expect, test } from "vitest";

test("the test set-up gives every worker a PostgreSQL with a superuser", async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query(
    "select rolsuper, pg_encoding_to_char(encoding) as encoding, datcollate from pg_roles, pg_database " +
      "where rolname = current_user and datname = current_database()",
  );
  await client.end();
  expect(rows).toEqual([{ rolsuper: true, encoding: "UTF8", datcollate: "C" }]);
});

test("the test set-up gives every worker a NATS with JetStream", async () => {
  const connection = await connect({ servers: process.env.NATS_URL });
  const account = await (await connection.jetstreamManager()).getAccountInfo();
  await connection.close();
  expect(account.limits).toBeDefined();
});
