import { createServer } from "node:net";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { z } from "zod";
import { createHttpServer } from "../http.js";
import { createLog } from "../log.js";
import { ada } from "../testing/demo-server.js";
import { listen, testKeys } from "../testing/http.js";
import { waitFor } from "../testing/schema.js";
import { createApi } from "../trpc.js";
import { describeDatabaseError } from "./away.js";
import { type Connection, connect } from "./connect.js";

/** A service whose only operation queries the database, for something that takes its time when `slow`. */
async function startAsking({ db }: Connection<unknown>) {
  const { router, get } = createApi<never>();
  const ask = get("/ask", { summary: "Ask the database" })
    .input(z.object({ slow: z.string().optional() }))
    .output(z.object({}))
    .query(async ({ input }) => {
      await sql`select pg_sleep(${input.slow ? 60 : 0})`.execute(db);
      return {};
    });
  const { verifier, sign } = testKeys("gateway");
  const log = createLog({ service: "content", level: "silent" });
  const served = { name: "content", version: "1.0.0", router: router({ ask }), verifier, log };
  const server = createHttpServer({ ...served, base: {}, unready: async () => [] });
  return listen(server, await sign(ada));
}

async function expectAway(server: Awaited<ReturnType<typeof startAsking>>, slow?: true) {
  const rest = server.send("GET", `/v1/ask${slow ? "?slow=1" : ""}`);
  const input = encodeURIComponent(JSON.stringify(slow ? { slow: "1" } : {}));
  const trpc = server.send("GET", `/trpc/ask?input=${input}`);
  const message = "The database is not reachable";
  expect((await rest).body.error).toMatchObject({ code: 503, message, reason: "service_unavailable" });
  expect((await trpc).body.error).toMatchObject({ message, data: { code: "SERVICE_UNAVAILABLE" } });
  for (const { status, headers } of [await rest, await trpc])
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
}

test("while nobody listens for the database, or who does breaks off, requests are 503 with Retry-After", async () => {
  const rude = await listenRudely();
  for (const port of [1, rude.port]) {
    const away = connect({ url: `postgres://nobody@127.0.0.1:${port}/none`, schema: "public" });
    const server = await startAsking(away);
    await expectAway(server);
    await Promise.all([server.close(), away.close()]);
  }
  rude.server.close();
});

test("requests whose connections the database ends are 503 with Retry-After, and the next ones succeed", async () => {
  const applicationName = `away-${process.pid}`;
  const url = process.env.DATABASE_URL!;
  const connection = connect({ url, schema: "public", applicationName });
  const admin = connect({ url, schema: "public", max: 1 });
  const server = await startAsking(connection);
  const cut = expectAway(server, true);
  let ended = 0;
  await waitFor(async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${applicationName} and state = 'active' and query like '%pg_sleep%'`.execute(
      admin.db,
    );
    ended += rows.length;
    return ended >= 2;
  });
  await cut;
  expect((await server.send("GET", "/v1/ask")).status).toBe(200);
  await Promise.all([server.close(), connection.close(), admin.close()]);
});

test("a failure to reach the database is described with the address and without the password", async () => {
  const descriptionOf = async (url: string, path = "") => {
    const connection = connect({ url: `${url}${path}`, schema: "public" });
    const error = await sql`select 1`.execute(connection.db).catch((thrown: unknown) => thrown);
    await connection.close();
    return describeDatabaseError(error, `${url}${path}`);
  };
  expect(await descriptionOf("postgres://ada:hunter2@127.0.0.1:1", "/octavo")).toBe(
    "the database at 127.0.0.1:1/octavo cannot be used: connect ECONNREFUSED 127.0.0.1:1",
  );
  expect(await descriptionOf("postgres://ada:hunter2@localhost:1", "/octavo")).toMatch(
    /cannot be used: connect ECONNREFUSED/,
  );
  const url = new URL(process.env.DATABASE_URL!);
  url.username = "nobody-knows";
  expect(await descriptionOf(url.href)).toMatch(/cannot be used: .*"nobody-knows"/);
  for (const other of [
    new Error("Bucket: is not there"),
    Object.assign(new Error(), { code: "42P01" }),
    null,
  ])
    expect(describeDatabaseError(other, url.href)).toBeUndefined();
});

/** Ends every connection as soon as it sends something. */
async function listenRudely() {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, port: (server.address() as { port: number }).port };
}
