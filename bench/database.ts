import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Stack } from "../tests/harness/stack.js";

/** A database of its own on the stack's embedded PostgreSQL, for what the API is compared with. */
export async function openReference(stack: Stack): Promise<{ url: string; client: pg.Client }> {
  const { postgresPassword } = JSON.parse(readFileSync(join(stack.dataDir, "state.json"), "utf8"));
  const url = (database: string) =>
    `postgres://postgres:${postgresPassword}@127.0.0.1:${Number(new URL(stack.base).port) + 32}/${database}`;
  const server = new pg.Client(url("postgres"));
  await server.connect();
  await server.query("create database reference");
  await server.end();
  const client = new pg.Client(url("reference"));
  await client.connect();
  // The server is stopped before the client when a measurement failed.
  client.on("error", () => undefined);
  await client.query("create schema reference");
  return { url: url("reference"), client };
}
