import type { Socket } from "node:net";
import { connect } from "@octavo/shared/database/connect";
import type { PoolClient } from "pg";
import { createContentCache } from "../cache.js";
import type { Database } from "../db/database.js";
import { router } from "../router.js";
import { createCaller } from "../trpc.js";
import type { contentTest } from "./content.js";

type Test = Awaited<ReturnType<typeof contentTest>>;

/**
 * How often an operation of an administrator sends something to PostgreSQL and waits: statements that are on their way
 * together count once. It is done three times before, so that all of its statements are known.
 */
export async function tripsOf(
  t: Test,
  call: (caller: ReturnType<Test["as"]>) => Promise<unknown>,
): Promise<number> {
  let trips = 0;
  const connection = connect<Database>({ url: t.url, schema: t.schema, max: 1 });
  connection.pool.on("connect", (client) => {
    const stream = streamOf(client);
    for (const method of ["_write", "_writev"] as const) {
      const plain = stream[method]!.bind(stream) as (...args: unknown[]) => void;
      stream[method] = (...args: unknown[]) => {
        trips += 1;
        plain(...args);
      };
    }
  });
  const ctx = t.context(t.user({ acme: "admin" }));
  const caller = createCaller(router)({ ...ctx, cache: createContentCache(), db: connection.db });
  try {
    for (let times = 0; times < 3; times++) await call(caller);
    trips = 0;
    await call(caller);
    return trips;
  } finally {
    await connection.close();
  }
}

// The types of the library do not show the socket.
const streamOf = (client: PoolClient) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
