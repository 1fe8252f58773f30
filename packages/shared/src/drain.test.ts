import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { drainable } from "./drain.js";

/** A server whose responses wait to be sent, and a caller that keeps its connection. */
async function startWaiting() {
  const waiting: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (_req, res) => void waiting.push(res));
  const drain = drainable(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  running.push({ server, agent });
  const send = async () => {
    const [response] = (await once(get({ port, agent }), "response")) as [IncomingMessage];
    return response;
  };
  /** The next request that arrives and has no response yet. */
  const next = async () => {
    if (waiting.length === 0) await once(server, "request");
    return waiting.shift()!;
  };
  return { server, port, drain, send, next };
}

const running: { server: Server; agent: Agent }[] = [];
afterEach(() => {
  for (const { server, agent } of running.splice(0)) {
    agent.destroy();
    server.closeAllConnections();
  }
});

test("a server is drained when it has responded to all requests, whoever keeps the connection", async () => {
  const { server, drain, send, next } = await startWaiting();
  const sent = send();
  const request = await next();
  const drained = drain();
  expect(server.listening).toBe(false);
  request.end("done");
  const response = await sent;
  expect(response.headers.connection).toBe("close");
  response.resume();
  await drained;
});

test("a response that has begun ends, and so does the connection that was to be kept", async () => {
  const { drain, send, next } = await startWaiting();
  const sent = send();
  const request = await next();
  request.write("begin");
  const response = await sent;
  expect(response.headers.connection).toBe("keep-alive");
  const drained = drain();
  request.end(" end");
  expect(Buffer.concat(await response.toArray()).toString()).toBe("begin end");
  await drained;
});

test("a response that is written reaches a client that reads it late", async () => {
  const { drain, send, next } = await startWaiting();
  const sent = send();
  const size = 40_000_000;
  (await next()).end(Buffer.alloc(size));
  const response = await sent;
  const drained = drain();
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  expect(bytes).toBe(size);
  await drained;
});

test("connections without a request, or with the beginning of one, hold nothing up", async () => {
  const { server, port, drain, send, next } = await startWaiting();
  const sent = send();
  (await next()).end("done");
  (await sent).resume();
  const half = connect(port, "127.0.0.1").on("error", () => undefined);
  half.write("GET / HTTP/1.1\r\nHost: a");
  await once(server, "connection");
  await drain();
});
