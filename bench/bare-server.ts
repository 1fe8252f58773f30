import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";

/**
 * What the reader is compared with: node:http alone, which sends the bytes and headers of the page at the address that it
 * is given, compressed as browsers get it, or 304 to whoever has them. Prints its port.
 */
const asked = get(process.argv[2]!, { headers: { "accept-encoding": "br" } });
const [got] = (await once(asked, "response")) as [IncomingMessage];
const body = Buffer.concat(await got.toArray());
const own = new Set(["connection", "date", "keep-alive", "content-length", "transfer-encoding"]);
const headers = Object.fromEntries(Object.entries(got.headers).filter(([name]) => !own.has(name))) as Record<
  string,
  string
>;
const { etag } = headers;

const server = createServer((req, res) => {
  if (req.headers["if-none-match"] === etag) res.writeHead(304, headers).end();
  else res.writeHead(200, { ...headers, "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
