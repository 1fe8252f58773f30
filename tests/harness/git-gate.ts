import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Gate {
  /** The address of the repository behind the gate. */
  url: string;
  /** Resolves when a request waits at the closed gate. */
  knocked(): Promise<void>;
  open(): void;
  close(): Promise<void>;
}

/** Stands before a git server and lets nothing through until it is opened. */
export async function gateBefore(repository: string): Promise<Gate> {
  const target = new URL(repository);
  let open = () => {};
  const opened = new Promise<void>((done) => (open = done));
  let knock = () => {};
  const knocked = new Promise<void>((done) => (knock = done));
  const server = createServer(async (req, res) => {
    knock();
    await opened;
    if (res.destroyed) return;
    const { method, headers, url } = req;
    const forward = request(
      { host: target.hostname, port: target.port, method, headers, path: url },
      (response) => {
        res.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(res);
      },
    );
    forward.on("error", () => res.destroy());
    req.pipe(forward);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${target.pathname}`,
    knocked: () => knocked,
    open,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
