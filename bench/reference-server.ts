import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";

/**
 * What the API is compared with: node:http and pg alone. Every request proves a token, which is remembered by its hash.
 * A row by its key, a list of 100 by index, and a write of four statements in one transaction, all of them named.
 * Prints the port; DATABASE_URL names a database with the tables of `reference.ts`, the argument is the token.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
const users = new Map([[hash(process.argv[2] ?? ""), "reader"]]);

const named =
  (name: string, text: string) =>
  (values: unknown[], client: pg.ClientBase | pg.Pool = pool) =>
    client.query({ name, text, values });
const one = named("one", "select id, title, body, created_at from reference.item where id = $1");
const list = named(
  "list",
  "select id, title, body, created_at from reference.item where owner = $1 order by id limit 100",
);
const lock = named("lock", "select owner from reference.item where id = $1 for update");
const revise = named(
  "revise",
  "insert into reference.revision (item, author, body) values ($1, $2, $3) returning id",
);
const update = named("update", "update reference.item set body = $2 where id = $1");
const record = named("record", "insert into reference.record (author, item, action) values ($1, $2, 'edit')");

async function write(id: string, body: string, author: string) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await lock([id], client);
    const { rows } = await revise([id, author, body], client);
    await update([id, body], client);
    await record([author, id], client);
    await client.query("commit");
    return rows[0];
  } finally {
    client.release();
  }
}

async function respond(req: IncomingMessage, res: ServerResponse) {
  const user = users.get(hash(req.headers.authorization?.slice("Bearer ".length) ?? ""));
  if (user === undefined) return res.writeHead(401).end();
  const [, kind, key] = req.url!.split("/");
  const body = JSON.stringify(await bodyOf(kind, key!, req, user));
  res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  res.end(body);
}

async function bodyOf(kind: string | undefined, key: string, req: IncomingMessage, user: string) {
  if (kind === "list") {
    const { rows } = await list([key]);
    return { items: rows, count: rows.length };
  }
  if (req.method !== "POST") return (await one([key])).rows[0];
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return write(key, JSON.parse(Buffer.concat(chunks).toString()).body, user);
}

const server = createServer((req, res) => void respond(req, res));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
