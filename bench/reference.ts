import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type pg from "pg";

/** Rows of the reference, as many as pages are read. */
export const ITEMS = 10_000;
export const TOKEN = "token-of-the-reference";
export const headers = { authorization: `Bearer ${TOKEN}` };

/** A server that reads and writes rows, and its address. */
export interface Reference {
  url: string;
  process: ChildProcess;
}

/** Makes the tables of the reference, once: rows of these texts in turns, a hundred of them of one owner. */
export async function seedReference(client: pg.Client, texts: string[]): Promise<void> {
  const { rows } = await client.query("select to_regclass('reference.item') is not null as there");
  if (rows[0].there) return;
  await client.query(`
    create table reference.item (id int primary key, owner int not null, title text not null, body text not null,
      created_at timestamptz not null default now());
    create index on reference.item (owner, id);
    create table reference.revision (id bigint generated always as identity primary key, item int not null,
      author text not null, body text not null, created_at timestamptz not null default now());
    create index on reference.revision (item, id);
    create table reference.record (id bigint generated always as identity primary key, author text not null,
      item int not null, action text not null, created_at timestamptz not null default now())`);
  for (let at = 0; at < ITEMS; at += 500) {
    const some = Array.from({ length: 500 }, (_, more) => texts[(at + more) % texts.length]);
    await client.query(
      `insert into reference.item (id, owner, title, body)
       select $1 + n - 1, 1 + ($1 + n - 1) / 100, 'Item ' || n, body
       from unnest($2::text[]) with ordinality as t (body, n)`,
      [at, some],
    );
  }
  await client.query("analyze reference.item");
}

/** Starts the server that the API is compared with. */
export async function startReference(databaseUrl: string): Promise<Reference> {
  const file = new URL("./reference-server.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", file, TOKEN], {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const [port] = await once(child.stdout!, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: child };
}
