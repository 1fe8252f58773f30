import { createServer } from "node:http";
import pg from "pg";

/**
 * What the API is compared with: node:http and pg alone, a row of about 1 KB by its key, and a list of 100 of them by
 * index, with queries as pg sends them by itself (named by hand they would be a third faster). Prints the port;
 * DATABASE_URL names a database with the table `reference.item`.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const one = "select id, title, body, created_at from reference.item where id = $1";
const list = "select id, title, body, created_at from reference.item where owner = $1 order by id limit 100";

const server = createServer(async (req, res) => {
  const [, kind, key] = req.url!.split("/");
  const query = kind === "list" ? list : one;
  const { rows } = await pool.query(query, [key]);
  const body = JSON.stringify(kind === "list" ? { items: rows, count: rows.length } : rows[0]);
  res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  res.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
