import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A document with these paths and nothing else. */
export const documentOf = (paths: object = {}) => ({
  openapi: "3.0.3",
  info: { title: "Pets", version: "1" },
  paths,
});
export const textOf = (paths?: object) => JSON.stringify(documentOf(paths));
export const operation = { responses: { 200: { description: "Found" } } };

/** A server on a loopback address; `files` are what it serves by path, which a test may change. */
export async function documentServer(listener?: RequestListener) {
  const files = new Map<string, string>();
  const requests: string[] = [];
  const server = createServer((req, res) => {
    requests.push(req.url!);
    if (listener) return listener(req, res);
    const file = files.get(req.url!);
    res.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { origin, files, requests, close };
}
