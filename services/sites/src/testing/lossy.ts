import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A connection to a service on which responses get lost: the first `times` of requests whose path holds `part`. It notes the
 * paths of all requests.
 */
export async function loseAnswers(url: string, part: string, times: number) {
  let left = times;
  const requests: string[] = [];
  const server = createServer(async (req, res) => {
    requests.push(req.url!);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { host, connection, "content-length": length, ...headers } = req.headers;
    const response = await fetch(`${url}${req.url}`, {
      method: req.method,
      headers: headers as Record<string, string>,
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    });
    const body = Buffer.from(await response.arrayBuffer());
    if (req.url!.includes(part) && left-- > 0) req.socket.destroy();
    else res.writeHead(response.status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
